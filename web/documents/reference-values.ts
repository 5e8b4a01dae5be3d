import type { ReferencePatch } from '#shared/contract/reference-edits.ts'
import type { CslDate, CslName, Reference } from '#shared/contract/references.ts'
import { displayName } from '#shared/references/names.ts'
import { dateText } from '#web/lib/date-text.ts'
import { typeLabel } from '#web/lib/reference-types.ts'
import {
  ALL_NAMES,
  type DateName,
  type FieldName,
  isNamesName,
  isTextName,
  type NamesName,
  type ReferenceType,
  type TextName,
} from './reference-fields.ts'

/**
 * A date in the form. `stored` is a date that does not fit into the three inputs, such as a range. A typed date replaces it.
 */
export interface DateValue {
  year: string
  month: string
  day: string
  stored?: CslDate | undefined
}
export type ReferenceValues = { type: ReferenceType } & { [Name in TextName]: string } & {
  [Name in NamesName]: CslName[]
} & { [Name in DateName]: DateValue }

const NO_DATE: DateValue = { year: '', month: '', day: '' }

/**
 * Returns the form values of a reference. Contains a value for every field, also for empty fields, so that two results can be
 * compared field by field.
 */
export function valuesOf(reference: Reference): ReferenceValues {
  const values = ALL_NAMES.map((name) => {
    if (isTextName(name)) return [name, reference[name] ?? '']
    return [name, isNamesName(name) ? (reference[name] ?? []) : dateValue(reference[name])]
  })
  return { type: reference.type, ...(Object.fromEntries(values) as Omit<ReferenceValues, 'type'>) }
}

function dateValue(date: CslDate | undefined): DateValue {
  if (!date) return NO_DATE
  const [parts, end] = date['date-parts'] ?? []
  if (!parts || end || date.circa || date.season || date.literal || date.raw) return { ...NO_DATE, stored: date }
  const [year = '', month = '', day = ''] = parts.map(String)
  return { year, month, day }
}

/**
 * Returns a date of the form in the format of the API; null for an empty date. A part that is not a number becomes 0, which the
 * server rejects.
 */
function dateOf({ year, month, day, stored }: DateValue): CslDate | null {
  const typed = [year, month, day].map((part) => part.trim())
  const last = typed.findLastIndex(Boolean)
  if (last === -1) return stored ?? null
  return { 'date-parts': [typed.slice(0, last + 1).map((part) => (/^-?\d+$/.test(part) ? Number(part) : 0))] }
}

function inApi(values: ReferenceValues, name: FieldName | 'type'): unknown {
  if (name === 'type') return values.type
  if (isTextName(name)) return values[name].trim() || null
  if (!isNamesName(name)) return dateOf(values[name])
  const names = values[name].filter((one) => displayName(one).trim() !== '')
  return names.length > 0 ? names : null
}

/**
 * Returns the fields of `now` that differ from `before`, in the format of the API. An emptied field is null. Empty names are
 * omitted.
 */
export function patchOf(before: ReferenceValues, now: ReferenceValues): ReferencePatch {
  const names = (['type', ...ALL_NAMES] as const).filter(
    (name) => JSON.stringify(inApi(before, name)) !== JSON.stringify(inApi(now, name)),
  )
  return Object.fromEntries(names.map((name) => [name, inApi(now, name)]))
}

/** Returns a stored reference with the changes in `patch`. A field that is null in `patch` is removed. */
export const mergedReference = (stored: Reference, patch: ReferencePatch): Reference =>
  Object.fromEntries(Object.entries({ ...stored, ...patch }).filter(([, value]) => value !== null)) as Reference

/** Returns the value of a field as text; '' if the field is empty. */
export function textOfValue(value: ReferenceValues[FieldName | 'type'], name: FieldName | 'type'): string {
  if (typeof value === 'string') return name === 'type' ? typeLabel(value) : value
  if (Array.isArray(value)) return value.map(displayName).join(', ')
  return dateText(dateOf(value) ?? undefined) ?? ''
}
