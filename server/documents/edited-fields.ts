import { createHash } from 'node:crypto'
import { isSameValue } from '#server/lib/stale-change.ts'
import { editableField, type EditableField, editedField, type EditedField } from '#shared/contract/documents.ts'
import { FIELD_OF_COLUMN } from '#shared/references/columns.ts'
import type { StoredDocument } from './queries.ts'
import type { ReferenceChange } from './write-queries.ts'

type Change = Partial<Pick<StoredDocument, EditableField>> & { reference?: ReferenceChange | undefined }

/** Returns a fingerprint (SHA-256) of a field's value, to detect later changes. */
export const fingerprintOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value || null))
    .digest('base64url')

/** Returns the field names without duplicates, in the order of the schema, so that equal sets become equal lists. */
export const inFieldOrder = (names: Iterable<EditedField>): EditedField[] => {
  const given = new Set(names)
  return editedField.options.filter((name) => given.has(name))
}

/** Maps fields of the reference (CSL names) to their names in the API, if the names differ. */
const API_NAMES: Readonly<Record<string, EditableField>> = Object.fromEntries(
  Object.entries(FIELD_OF_COLUMN).flatMap(([column, field]) =>
    editableField.options.filter((name) => name === column).map((name) => [field, name]),
  ),
)

/** Returns the API name of a field of the reference, or undefined if it is not a field that can count as edited. */
export const nameInApi = (field: string): EditedField | undefined =>
  editedField.safeParse(API_NAMES[field] ?? field).data

/**
 * Returns the fields that count as edited by users after `change`: the edited fields of `before` and the fields with changed
 * values. A changed field in `lookedUp` does not count as edited, because its value comes from a metadata service. Fields of
 * the reference have their names in the API, or else in CSL (requirement FND-06).
 */
export function editedAfter(
  before: Pick<StoredDocument, EditableField | 'edited_fields' | 'reference'>,
  { reference = {}, ...columns }: Change,
  lookedUp: readonly EditedField[],
): EditedField[] {
  const changedColumns = editableField.options.filter(
    (name) => columns[name] !== undefined && !isSameValue(columns[name], before[name]),
  )
  const fields = Object.keys(reference) as (keyof typeof reference)[]
  const changedFields = fields.filter((name) => !isSameValue(reference[name], before.reference[name]))
  const names = new Set<string>(changedFields.map((name) => API_NAMES[name] ?? name))
  const changed = inFieldOrder([...changedColumns, ...editedField.options.filter((name) => names.has(name))])
  const fromService = new Set(lookedUp)
  return inFieldOrder([
    ...before.edited_fields.filter((name) => !fromService.has(name) || !changed.includes(name)),
    ...changed.filter((name) => !fromService.has(name)),
  ])
}
