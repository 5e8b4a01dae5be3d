import type { Tx } from '#server/db/client.ts'
import type { Authorized } from '#server/members/index.ts'
import type { EditedField } from '#shared/contract/documents.ts'
import { inFieldOrder } from './edited-fields.ts'
import { listTagIds, replaceDocumentTags, type StoredDocument } from './queries.ts'
import { lockedOrThrow, publishChange } from './rows.ts'
import { updateDocumentRow } from './write-queries.ts'

/** The columns that a join of two duplicate papers changes, besides the reference, the tags and the edited fields. */
export const JOINED_COLUMNS = [
  'journal_id',
  'summary',
  'lifestyle_recommendations',
  'evidence_level',
  'social_post',
  'insights',
  'passages',
  'semantic_paperid',
  'retracted',
  'metadata_checked_at',
  'analyzed_at',
  'analysis_model',
  'analysis_prompt',
  'analysis_prompt_version',
  'analysis_prompt_version_id',
] as const satisfies readonly (keyof StoredDocument)[]
export type JoinedColumn = (typeof JOINED_COLUMNS)[number]

/**
 * A change of a document by a join of duplicate papers or by its undo. A field of the reference with the value null is removed.
 */
export interface JoinedChange {
  reference: Readonly<Record<string, unknown>>
  columns: Readonly<Partial<Record<JoinedColumn, unknown>>>
  keywords: string[]
  edited_fields: readonly EditedField[]
}

/**
 * Locks documents for a change, in the order of their ids, and returns them by id. Throws 'not_found' if the caller may not
 * read one of the documents, and 'role' if the caller may not edit one of them.
 */
export async function lockDocuments(tx: Tx, ids: readonly string[]): Promise<Map<string, Authorized<StoredDocument>>> {
  const locked = new Map<string, Authorized<StoredDocument>>()
  for (const id of ids.toSorted()) locked.set(id, await lockedOrThrow(tx, id))
  return locked
}

/** Stores a change of a locked document by a join of duplicate papers or by its undo. */
export async function changeJoined(
  tx: Tx,
  document: Authorized<StoredDocument>,
  { reference, columns, keywords, edited_fields }: JoinedChange,
): Promise<void> {
  const row = await updateDocumentRow(tx, document, {
    ...(columns as Partial<StoredDocument>),
    ...(Object.keys(reference).length > 0 ? { reference } : {}),
    keywords,
    edited_fields: inFieldOrder(edited_fields),
  })
  await publishChange(tx, row, 'updated')
}

/**
 * Adds the tags of the document `otherId` to the document `id`, when `otherId` is merged into it as a duplicate (a join).
 * `ofJoins` has the ids of the tags that earlier joins added to `id`. Returns the ids of the tags of `otherId` that `id` has
 * only because of joins: the tags that were added now, and those in `ofJoins`. An undo of the joins can remove these tags.
 */
export async function addTagsOf(tx: Tx, id: string, otherId: string, ofJoins: readonly string[]): Promise<string[]> {
  const own = await listTagIds(tx, id)
  const others = await listTagIds(tx, otherId)
  const added = others.filter((tag) => !own.includes(tag))
  if (added.length > 0) await replaceDocumentTags(tx, id, [...own, ...added])
  return others.filter((tag) => added.includes(tag) || ofJoins.includes(tag))
}

/** Removes tags from a document. */
export async function removeTags(tx: Tx, id: string, tagIds: readonly string[]): Promise<void> {
  const own = await listTagIds(tx, id)
  await replaceDocumentTags(
    tx,
    id,
    own.filter((tag) => !tagIds.includes(tag)),
  )
}
