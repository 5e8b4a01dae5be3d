import { log } from '#server/lib/log.ts'
import { storage } from '#server/lib/storage.ts'
import type { StoredDocument } from './queries.ts'

/** Removes the file of a deleted document. The row is gone for good; a file that cannot go now is only space, and named in the log. */
export async function removeFile(row: Pick<StoredDocument, 'id' | 'source_url'>): Promise<void> {
  if (!row.source_url) return
  await storage()
    .remove(row.source_url)
    .catch((error: unknown) => log.warn({ err: error, document: row.id }, 'a deleted document left its file'))
}
