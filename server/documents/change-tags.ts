import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { TagsChange } from '#shared/contract/bulk-documents.ts'
import { TAGS_MAX } from '#shared/contract/document-edits.ts'
import { type DocumentsTags, NO_TAGGED_DOCUMENTS } from '#shared/contract/documents-tags.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { documentOrThrow } from './rows.ts'
import { updateDocument } from './service.ts'

const TRIES = 3

/**
 * Removes tags from a document, then adds tags to it, and returns the changed document. Upper and lower case do not differ. If
 * another request changes the document at the same time, repeats the change, up to three times, and then throws 'changed'.
 * Throws 'not_found' if the caller may not read the document, 'role' if the caller may not edit it, and 'refused' for too many
 * tags.
 */
export async function changeTags(
  actor: Actor,
  id: string,
  { add, remove }: Pick<DocumentsTags, 'add' | 'remove'>,
): Promise<DocumentDetail> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await asActor(actor, (tx) => documentOrThrow(tx, id, 'edit'))
    const tags = new Map(before.keywords.map((tag) => [tag.toLowerCase(), tag]))
    for (const tag of remove) tags.delete(tag.toLowerCase())
    for (const tag of add) if (!tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
    if (tags.size > Math.max(TAGS_MAX, before.keywords.length))
      throw new AppError('refused', `A paper has at most ${TAGS_MAX} tags.`)
    try {
      return await updateDocument(actor, id, { keywords: [...tags.values()], version: before.version })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'changed' || attempt === TRIES) throw error
    }
  }
}

/**
 * Changes the tags of several documents, one document after the other. Returns the number of changed documents. The result also
 * has the ids of documents that the caller may not read (`missing`), and the documents that could not be changed, each with the
 * reason (`failed`). If no document was changed and all have the same error, throws this error.
 */
export async function changeTagsOfDocuments(
  actor: Actor,
  { document_ids, ...tags }: DocumentsTags,
): Promise<TagsChange> {
  const changed: TagsChange = { count: 0, missing: [], failed: [] }
  const errors = new Map<string, AppError>()
  for (const id of new Set(document_ids))
    try {
      await changeTags(actor, id, tags)
      changed.count += 1
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      errors.set(error.message, error)
      if (error.code === 'not_found') changed.missing.push(id)
      else changed.failed.push({ id, reason: error.message })
    }
  const [error, ...others] = errors.values()
  if (!error || changed.count > 0 || others.length > 0) return changed
  throw error.code === 'not_found' ? new AppError('not_found', NO_TAGGED_DOCUMENTS) : error
}
