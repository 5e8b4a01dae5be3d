import { rememberScan } from '#server/documents/index.ts'
import { extractText } from '#server/extraction/index.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/db/actor.ts'
import { storage } from '#server/storage/storage.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { hasWords } from '#shared/pdf-text/page-text.ts'

/** Time limit of the check for text. If it is exceeded, the extraction later reports the same warning. */
const LOOK_MS = 15_000

/**
 * Checks whether an imported PDF contains text, so that a user is informed of a scan right after the import. Stores the warning
 * with the document, and returns the document. If the file cannot be read, returns the document unchanged, because its
 * extraction reports the error.
 */
export async function noteScan(actor: Actor, document: DocumentDetail, signal: AbortSignal): Promise<DocumentDetail> {
  if (document.source_url === null) return document
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)])
    const { text, pageCount } = await storage().withLocalFile(document.source_url, (path) =>
      extractText(path, { person: actor.userId, signal: limit }),
    )
    if (hasWords(text)) return document
    await rememberScan(actor, document.id, { method: 'text', pageCount, facts: null })
    return { ...document, text_warning: 'scan', page_count: pageCount }
  } catch (error) {
    log.info({ err: error }, 'could not check an imported PDF for text')
    return document
  }
}
