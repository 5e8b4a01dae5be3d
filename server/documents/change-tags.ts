import type { Actor } from '#server/db/actor.ts'
import { AppError } from '#server/lib/errors.ts'
import { type BulkCount, type DocumentsTags, NO_TAGGED_DOCUMENTS } from '#shared/contract/bulk-documents.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { getDocument, updateDocument } from './service.ts'

const TRIES = 3

/**
 * Adds tags to a document and removes tags from it, in upper or lower case. Repeats the change if another user changes the
 * document at the same time. Throws 'not_found', 'role' or, after three tries, 'changed'.
 */
export async function changeTags(
  actor: Actor,
  id: string,
  { add, remove }: Pick<DocumentsTags, 'add' | 'remove'>,
): Promise<DocumentDetail> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await getDocument(actor, id)
    const removed = new Set(remove.map((tag) => tag.toLowerCase()))
    const remaining = before.keywords.filter((tag) => !removed.has(tag.toLowerCase()))
    const known = new Set(remaining.map((tag) => tag.toLowerCase()))
    const keywords = [...remaining, ...new Set(add.filter((tag) => !known.has(tag.toLowerCase())))]
    try {
      return await updateDocument(actor, id, { keywords, version: before.version })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'changed' || attempt === TRIES) throw error
    }
  }
}

/**
 * Changes the tags of several documents, one after the other. Ids that do not exist or belong to another user are skipped
 * and returned as `missing`. Throws 'not_found' when no id is left, and the errors of `changeTags`.
 */
export async function changeTagsOf(actor: Actor, { document_ids, ...tags }: DocumentsTags): Promise<BulkCount> {
  const missing: string[] = []
  let count = 0
  for (const id of new Set(document_ids))
    try {
      await changeTags(actor, id, tags)
      count++
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error
      missing.push(id)
    }
  if (count === 0) throw new AppError('not_found', NO_TAGGED_DOCUMENTS)
  return { count, missing }
}
