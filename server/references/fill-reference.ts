import type { Reference } from '#shared/contract/references.ts'
import { FIELD_OF_COLUMN, type ReferenceColumn, type StoredReference } from '#shared/references/columns.ts'
import { isEmpty } from '#shared/references/is-empty.ts'

/** Fields that are never copied from another reference, because they identify the paper in Lectern or belong to one source. */
const OWN = new Set(['id', 'type', 'citation-key', 'custom', 'source', 'accessed'])

/**
 * Returns a reference whose empty fields are filled from another reference of the same paper, or null if there is nothing to
 * fill. `edited` are the names of fields that a user has edited (`edited_fields`). They stay unchanged, even if they are empty.
 */
export function filledReference<Item extends StoredReference>(
  item: Item,
  other: Reference,
  edited: readonly string[] = [],
): Item | null {
  const closed = new Set<string>(edited.map((name) => FIELD_OF_COLUMN[name as ReferenceColumn] ?? name))
  const found = Object.entries(other).filter(
    ([field, value]) =>
      !OWN.has(field) && !isEmpty(value) && !closed.has(field) && isEmpty(item[field as keyof StoredReference]),
  )
  return found.length > 0 ? { ...item, ...Object.fromEntries(found) } : null
}
