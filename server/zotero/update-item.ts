import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { nameInApi, documentOrThrow, type StoredDocument, updateDocument } from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import type { EditedField } from '#shared/contract/documents.ts'
import type { ReferencePatch } from '#shared/contract/reference-edits.ts'
import type { StoredReference } from '#shared/references/columns.ts'
import { changedFields } from './add-items.ts'
import type { ZoteroItem } from './item-of.ts'
import type { StoredItem } from './item-queries.ts'

/** Maximum number of attempts to change a document, if users change it at the same time. */
const ATTEMPTS = 5

/**
 * Applies the changes of a Zotero item to its document. A field that a user edited in Lectern stays unchanged (FMT-84). A field
 * that is now empty in Zotero is emptied only if the document still has the earlier value of Zotero. Returns whether the
 * document changed.
 */
export async function applyChanges(
  actor: Actor,
  { item, stored }: { item: ZoteroItem; stored: StoredItem },
  withTags: boolean,
): Promise<'updated' | 'unchanged' | 'missing'> {
  const { reference, tags } = item
  const id = stored.document_id
  if (!reference || id === null) return 'unchanged'
  for (let attempt = 1; ; attempt += 1) {
    try {
      const document = await asActor(actor, (tx) => documentOrThrow(tx, id, 'edit'))
      const isOpen = (name: EditedField | undefined) => name !== undefined && !document.edited_fields.includes(name)
      const fields = changedFields(stored.reference, reference).filter(
        (field) =>
          isOpen(nameInApi(field)) && (reference[field] !== undefined || isUnchangedHere(document, stored, field)),
      )
      const keywords = withTags && isOpen('keywords') ? keywordsAfter(document.keywords, stored.tags, tags) : null
      if (fields.length === 0 && keywords === null) return 'unchanged'
      await storeValues(actor, document, reference, fields, keywords)
      return 'updated'
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return 'missing'
      const isStale = error instanceof AppError && (error.code === 'changed' || error.code === 'conflict')
      if (!isStale || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * Stores the values of `fields`, and the keywords, from Zotero in a document. These fields then no longer count as edited by a
 * user.
 */
export async function storeValues(
  actor: Actor,
  document: Pick<StoredDocument, 'id' | 'version'>,
  reference: StoredReference,
  fields: readonly (keyof StoredReference)[],
  keywords: string[] | null,
): Promise<void> {
  const patch = Object.fromEntries(fields.map((field) => [field, reference[field] ?? null])) as ReferencePatch
  await updateDocument(actor, document.id, {
    version: document.version,
    ...(fields.length > 0 ? { reference: patch } : {}),
    ...(keywords ? { keywords } : {}),
    looked_up: [...fields.flatMap((field) => nameInApi(field) ?? []), ...(keywords ? (['keywords'] as const) : [])],
  })
}

const isUnchangedHere = (document: StoredDocument, { reference }: StoredItem, field: keyof StoredReference) =>
  changedFields({ [field]: document.reference[field] }, { [field]: reference[field] }).length === 0

/**
 * Applies the changes of the tags in Zotero (`before` and `after`) to the keywords of a document. Returns null if the keywords
 * do not change.
 */
function keywordsAfter(
  keywords: readonly string[],
  before: readonly string[],
  after: readonly string[],
): string[] | null {
  const lower = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()))
  const [had, has] = [lower(before), lower(after)]
  const rest = keywords.filter((name) => has.has(name.toLowerCase()) || !had.has(name.toLowerCase()))
  const known = lower(rest)
  const next = [...rest, ...after.filter((name) => !had.has(name.toLowerCase()) && !known.has(name.toLowerCase()))]
  return next.length === keywords.length && next.every((name, at) => name === keywords[at]) ? null : next
}
