import { isDeepStrictEqual } from 'node:util'
import { CHANGED_MEANWHILE, FIELD_CHANGED } from '#shared/contract/errors.ts'
import { AppError } from './errors.ts'

/**
 * Returns whether two values of a field are equal as JSON. null, undefined, an empty text, 0 and false are equal to each other.
 */
export const isSameValue = (a: unknown, b: unknown) => JSON.stringify(a || null) === JSON.stringify(b || null)

/**
 * Throws 'changed', with the `current` row, if the caller has not seen the latest values: after the version `seen`, another
 * change has given a field of `change` a value that differs from the value in `change`. Does nothing without `seen`. `row` must
 * be locked until the change is stored.
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
 * Throws 'changed' with the current value `present` if the caller has seen a different value (`seen`). Does nothing without
 * `seen`, or if `present` equals the value `wanted`. The value must be locked until the change is stored.
 */
export function refuseStaleValue<Value>(name: string, present: Value, wanted: Value, seen: Value | undefined): void {
  if (seen === undefined || isDeepStrictEqual(present, seen) || isDeepStrictEqual(present, wanted)) return
  throw new AppError('changed', CHANGED_MEANWHILE, { fields: { [name]: FIELD_CHANGED }, current: { [name]: present } })
}
