import { createHash } from 'node:crypto'
import { editableField, type EditableField } from '#shared/documents.ts'
import type { StoredDocument } from './queries.ts'

type Change = Partial<Pick<StoredDocument, EditableField>>

/** Whether two values of a field read the same: null, an empty text and a field that is missing are alike. */
export const isSameValue = (a: unknown, b: unknown) => JSON.stringify(a || null) === JSON.stringify(b || null)

/** A fingerprint of a field's value, to tell later whether it is the same still. */
export const fingerprintOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value || null))
    .digest('base64url')

/** Names of fields once each, in the order of the schema, so that equal sets are equal lists. */
export const inFieldOrder = (names: Iterable<EditableField>): EditableField[] => {
  const given = new Set(names)
  return editableField.options.filter((name) => given.has(name))
}

/**
 * The edited fields of a document after `change` by a person. A field that keeps its value is not edited by it. A value
 * that a metadata service gave (`lookedUp`) is not a person's: it takes the place of an earlier edit.
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
