import { createHash } from 'node:crypto'
import { isSameValue } from '#server/lib/stale-change.ts'
import { editableField, type EditableField } from '#shared/contract/documents.ts'
import type { StoredDocument } from './queries.ts'

type Change = Partial<Pick<StoredDocument, EditableField>>

/** Returns a fingerprint of a field's value, for later comparison. */
export const fingerprintOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value || null))
    .digest('base64url')

/** Returns the field names without duplicates, in the order of the schema, so that equal sets give equal lists. */
export const inFieldOrder = (names: Iterable<EditableField>): EditableField[] => {
  const given = new Set(names)
  return editableField.options.filter((name) => given.has(name))
}

/**
 * Returns the edited fields of a document after `change` by a user. An unchanged value is no edit. A value from a
 * metadata service (`lookedUp`) is no edit and replaces an earlier one.
 */
export function editedAfter(
  before: Change & Pick<StoredDocument, 'edited_fields'>,
  change: Change,
  lookedUp: readonly EditableField[],
): EditableField[] {
  const changed = editableField.options.filter(
    (name) => change[name] !== undefined && !isSameValue(change[name], before[name]),
  )
  const fromService = new Set(lookedUp)
  return inFieldOrder([
    ...before.edited_fields.filter((name) => !fromService.has(name) || !changed.includes(name)),
    ...changed.filter((name) => !fromService.has(name)),
  ])
}
