import type { Actor } from '#server/db/actor.ts'
import type { Tx } from '#server/db/client.ts'
import { recordPapers } from '#server/imports/index.ts'
import { lockStoredFiles } from '#server/storage/removed-files.ts'
import { findDocumentRow, hasFile, listTagNames, type StoredDocument } from './queries.ts'
import { linkKeywords, publishChange } from './rows.ts'
import { copyDocumentRow } from './write-queries.ts'

/**
 * Copies a document that the caller may read into a project that the caller may edit, with its file, text, analysis and tags.
 * The copy has no conversations, jobs or vectors. Returns undefined if the document does not exist, and 'same file' if the
 * project already has a document with this file.
 */
export async function copyDocument(
  tx: Tx,
  actor: Actor,
  id: string,
  projectId: string,
): Promise<StoredDocument | 'same file' | undefined> {
  await lockStoredFiles(tx)
  const source = await findDocumentRow(tx, id)
  if (!source) return undefined
  if (source.content_hash !== null && (await hasFile(tx, projectId, source.content_hash))) return 'same file'
  const copy = await copyDocumentRow(tx, id, { projectId, userId: actor.userId })
  if (!copy) return undefined
  await linkKeywords(tx, actor, copy, await listTagNames(tx, [id]))
  await recordPapers(tx, actor.userId, 'upload', { ids: [copy.id], projectId })
  await publishChange(tx, copy, 'created')
  return copy
}
