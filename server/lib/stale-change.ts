import { isDeepStrictEqual } from 'node:util'
import { CHANGED_MEANWHILE, FIELD_CHANGED } from '#shared/contract/errors.ts'
import { AppError } from './errors.ts'

/** Returns whether two values of a field are equal as JSON. null, undefined, an empty text, 0 and false count as equal. */
export const isSameValue = (a: unknown, b: unknown) => JSON.stringify(a || null) === JSON.stringify(b || null)

/**
 * Refuses a change whose caller has not seen the latest values: throws 'changed' with the `current` row when another change gave
 * a field of `change` another value after the version `seen`. A field is no conflict if it has not changed since, or if its value
 * equals the wanted one. Does nothing without `seen`. `row` must be locked until the change is stored.
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
 * Refuses a change of one value if the caller has seen a value other than the current one, `present`: throws 'changed' with
 * `present`. Does nothing without `seen`, or if `present` equals `wanted`. The value must be locked until the change is stored.
 */
export function refuseStaleValue<Value>(name: string, present: Value, wanted: Value, seen: Value | undefined): void {
  if (seen === undefined || isDeepStrictEqual(present, seen) || isDeepStrictEqual(present, wanted)) return
  throw new AppError('changed', CHANGED_MEANWHILE, { fields: { [name]: FIELD_CHANGED }, current: { [name]: present } })
}
