import type { Tx } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { AppError } from '#server/lib/errors.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import type { DocumentPatch } from '#shared/contract/document-edits.ts'
import { FIELD_CHANGED } from '#shared/contract/errors.ts'
import type { ReferencePatch } from '#shared/contract/reference-edits.ts'
import { type Reference, reference as referenceSchema } from '#shared/contract/references.ts'
import { columnsOf, FIELD_OF_COLUMN, REFERENCE_COLUMNS, type StoredReference } from '#shared/references/columns.ts'
import { withoutText } from './present.ts'
import type { StoredDocument } from './queries.ts'
import { journalOf } from './rows.ts'
import { freeCitationKey } from './write-queries.ts'

/**
 * The types of references whose container is a journal. The container of a chapter or of a conference paper is another work.
 */
export const IN_JOURNALS: ReadonlySet<Reference['type']> = new Set([
  'article',
  'article-journal',
  'article-magazine',
  'article-newspaper',
  'review',
  'review-book',
])

/** Returns a reference with its fields in the order of the schema, so that equal references have equal JSON texts. */
export const inSchemaOrder = (stored: StoredReference): StoredReference => referenceSchema.partial().parse(stored)

/**
 * Refuses an edit of a reference that is based on old values. Throws 'changed' if, since the version `seen` that the user
 * edited, another request has changed a field of `change` to a different value.
 */
export function refuseStaleReference(
  row: StoredDocument,
  change: ReferencePatch | undefined,
  seen: number | undefined,
) {
  if (!change) return
  const stored = { ...inSchemaOrder(row.reference), field_versions: row.field_versions }
  try {
    refuseStaleChange<typeof stored>(stored, change, seen, () => withoutText(row))
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error
    const fields: Record<string, string> = Object.fromEntries(
      Object.keys(error.fields).map((name) => [`reference.${name}`, FIELD_CHANGED] as const),
    )
    throw new AppError(error.code, error.message, { fields, current: error.current })
  }
}

/**
 * Returns everything that a change of the reference of the document `row` stores: the changed columns of the document, and
 * `change` itself as `reference`. If the change names a journal, replaces the name of an existing journal by its stored
 * spelling, and creates a journal that does not exist. `looked_up` has the fields whose values come from a metadata service.
 */
export async function referenceChange(
  tx: Tx,
  actor: Actor,
  row: StoredDocument,
  change: ReferencePatch,
  looked_up: DocumentPatch['looked_up'],
) {
  const now = columnsOf({ ...row.reference, ...change } as StoredReference)
  const changed = REFERENCE_COLUMNS.filter((name) => FIELD_OF_COLUMN[name] in change)
  const columns = Object.fromEntries(changed.map((name) => [name, now[name]])) as Partial<typeof now>
  const container = change['container-title']
  if (container === undefined) return { ...columns, reference: change }
  if (!IN_JOURNALS.has(change.type ?? row.reference.type ?? 'article-journal'))
    return { ...columns, journal_id: null, reference: change }
  const journal = await journalOf(tx, actor, { journal_name: container, looked_up })
  return {
    ...columns,
    ...journal,
    reference: { ...change, 'container-title': journal.journal_name ?? null },
  }
}

/**
 * Throws 'refused' if another paper of the project already has the citation key in `change`. The message suggests a free key.
 */
export async function refuseUsedKey(tx: Tx, id: string, projectId: string | null, change: ReferencePatch | undefined) {
  const key = change?.['citation-key']
  if (!key || projectId === null) return
  const free = await freeCitationKey(tx, projectId, key, id)
  if (free === key) return
  const message = `Another paper has this key. Try ${free}.`
  throw new AppError('refused', message, { fields: { 'reference.citation-key': message } })
}
