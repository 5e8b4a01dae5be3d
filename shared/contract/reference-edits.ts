import { z } from 'zod'
import { CITATION_KEY, CITATION_KEY_MAX } from '#shared/references/citation-key.ts'
import { doiText } from './doi.ts'
import {
  CSL_DATE_FIELDS,
  CSL_NAME_FIELDS,
  CSL_TEXT_FIELDS,
  cslType,
  cslDate,
  type CslName,
  cslName,
} from './references.ts'

/**
 * Maximum characters of a text field of a reference. LONG_TEXT_MAX applies to the fields in LONG_TEXTS, TEXT_MAX to all others.
 */
export const TEXT_MAX = 2000
export const LONG_TEXT_MAX = 50_000
export const LONG_TEXTS: ReadonlySet<string> = new Set(['abstract', 'annote', 'keyword', 'note'])
/** Maximum number of names of a field, and of characters of a part of a name. */
export const NAMES_MAX = 3000
export const NAME_PART_MAX = 300
/** Maximum characters of a PMCID, which the database indexes. */
export const PMCID_MAX = 50

const trimmed = z.string().trim()
const withoutEmpty = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== '' && part !== undefined)) as T

const namePart = trimmed.max(NAME_PART_MAX).optional()
/** A name with at least one part that is not empty. */
export const nameInput = cslName
  .extend(
    Object.fromEntries(Object.keys(cslName.shape).map((part) => [part, namePart])) as Record<
      keyof CslName,
      typeof namePart
    >,
  )
  .transform(withoutEmpty)
  .refine((name) => name.family || name.given || name.literal, 'Enter a family name, a given name or a name.')

const NOT_A_DAY = 'This day does not exist.'
const parts = z
  .array(z.number().int())
  .min(1)
  .max(3)
  .refine(([year]) => year !== 0 && Math.abs(year!) <= 9999, 'Enter a year from 1 to 9999.')
  .refine(([, month = 1]) => month >= 1 && month <= 12, 'Enter a month from 1 to 12.')
  .refine(([year, month = 1, day = 1]) => day >= 1 && day <= daysOf(year!, month), NOT_A_DAY)

function daysOf(year: number, month: number): number {
  const date = new Date(Date.UTC(2000, month, 0))
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}

/** A date in which the day, or month and day, may be missing (FND-05). */
export const dateInput = cslDate
  .extend({
    'date-parts': z.array(parts).min(1).max(2).optional(),
    literal: trimmed.max(NAME_PART_MAX).optional(),
    raw: trimmed.max(NAME_PART_MAX).optional(),
  })
  .transform(withoutEmpty)
  .refine((date) => date['date-parts'] || date.literal || date.raw, 'Enter a year.')

const SPECIAL = {
  'citation-key': trimmed
    .max(CITATION_KEY_MAX)
    .regex(CITATION_KEY, 'Use letters, digits and _ : . + / - without spaces.')
    .nullable(),
  PMCID: trimmed.max(PMCID_MAX).nullable(),
  DOI: trimmed.max(500).transform(doiText).nullable(),
  URL: trimmed
    .max(TEXT_MAX)
    .regex(/^$|^https?:\/\/\S+$/i, 'Enter an address that starts with http:// or https://.')
    .nullable(),
}

type Fields<Name extends string, Value extends z.ZodType> = Record<Name, z.ZodOptional<z.ZodNullable<Value>>>
const each = <Name extends string, Value extends z.ZodType>(names: readonly Name[], value: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, value(name).nullable().optional()])) as Fields<Name, Value>

/**
 * Fields of a reference to change; null or an empty value removes a field. A missing field stays unchanged. An unknown field
 * is refused.
 */
export const referencePatch = z
  .strictObject({
    type: cslType.optional(),
    ...each(CSL_TEXT_FIELDS, (name) => trimmed.max(LONG_TEXTS.has(name) ? LONG_TEXT_MAX : TEXT_MAX)),
    ...SPECIAL,
    ...each(CSL_NAME_FIELDS, () => z.array(nameInput).max(NAMES_MAX)),
    ...each(CSL_DATE_FIELDS, () => dateInput),
  })
  .partial()
export type ReferencePatch = z.infer<typeof referencePatch>
