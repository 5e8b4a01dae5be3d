import { isDeepStrictEqual } from 'node:util'
import { CHANGED_MEANWHILE, FIELD_CHANGED } from '#shared/contract/errors.ts'
import { AppError } from './errors.ts'

/**
 * Returns whether two values of a field are equal as JSON. null, undefined, an empty text, 0 and false are equal to each other.
 */
export const isSameValue = (a: unknown, b: unknown) => JSON.stringify(a || null) === JSON.stringify(b || null)

/**
 * Refuses a change of a row that is based on old values. Throws 'changed' if, after the version `seen` that the caller read,
 * another request has changed a field of `change` to a different value. The error contains the result of `current(row)`, so
 * that the client can show the present values. Does nothing if `seen` is undefined. `row` must be locked until the change is
 * stored.
 */
export function refuseStaleChange<Row extends { field_versions: Record<string, number> }>(
  row: Row,
  change: Partial<Record<keyof Row, unknown>>,
  seen: number | undefined,
  current: (row: Row) => Record<string, unknown>,
): void {
  if (seen === undefined) return
  const stale = Object.keys(change).filter((name) => {
    const wanted = change[name as keyof Row]
    return (
      wanted !== undefined && (row.field_versions[name] ?? 0) > seen && !isSameValue(wanted, row[name as keyof Row])
    )
  })
  if (stale.length === 0) return
  const fields = Object.fromEntries(stale.map((name) => [name, FIELD_CHANGED]))
  throw new AppError('changed', CHANGED_MEANWHILE, { fields, current: current(row) })
}

/**
 * Refuses a change of one value that is based on an old value. Throws 'changed' if the stored value `present` differs from
 * `seen`, the value that the caller read, and from `wanted`, the value that the caller wants to store. Does nothing if `seen`
 * is undefined. The stored value must be locked until the change is stored.
 */
export function refuseStaleValue<Value>(name: string, present: Value, wanted: Value, seen: Value | undefined): void {
  if (seen === undefined || isDeepStrictEqual(present, seen) || isDeepStrictEqual(present, wanted)) return
  throw new AppError('changed', CHANGED_MEANWHILE, { fields: { [name]: FIELD_CHANGED }, current: { [name]: present } })
}
