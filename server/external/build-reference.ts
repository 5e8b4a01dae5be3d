import type { CslDate, CslName, Reference } from '#shared/contract/references.ts'
import { parseDate } from '#shared/references/dates.ts'
import { familyFirst } from '#shared/references/names.ts'
import { plainText } from './rss/plain-text.ts'

/** Maximum length of each text field except the abstract, in characters. */
const TEXT_MAX = 2000
/** Maximum number of names in a field. Large collaborations have thousands of authors. */
const NAMES_MAX = 3000
const NAME_MAX = 300

/** The fields of a reference as a service returns them. Texts may contain HTML. */
export type GivenReference = Pick<Reference, 'type'> & {
  [Field in keyof Omit<Reference, 'type' | 'id' | 'custom'>]?: Reference[Field] | null
}

/**
 * Returns a reference without empty fields. Converts texts to plain text of at most 2,000 characters, except the abstract:
 * callers convert and limit it, because its maximum length differs by service.
 */
export function buildReference({ abstract, ...given }: GivenReference): Reference {
  const fields = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? plainText(value, TEXT_MAX) : value,
  ])
  if (abstract) fields.push(['abstract', abstract])
  return Object.fromEntries(
    fields.filter(([, value]) => value && !(Array.isArray(value) && value.length === 0)),
  ) as Reference
}

/** Converts texts to plain text and parses each one as a name with `read`. Omits texts that `read` does not recognize. */
export const namesOf = (
  texts: readonly (string | null | undefined)[] | null | undefined,
  read: (text: string) => CslName | undefined,
): CslName[] =>
  (texts ?? []).slice(0, NAMES_MAX).flatMap((text) => {
    const plain = plainText(text ?? '', NAME_MAX)
    return (plain && read(plain)) || []
  })

/**
 * Builds a name. Parts with a `family` are the name of a person: particles before the family name ('van') become a separate
 * part. Without `family`, the whole name is `name` (for example of a group), or else `given`. Returns undefined if `family`,
 * `name` and `given` are all missing.
 */
export function nameOfParts(parts: {
  given?: string | null | undefined
  family?: string | null | undefined
  suffix?: string | null | undefined
  name?: string | null | undefined
}): CslName | undefined {
  const [given, family, suffix, name] = [parts.given, parts.family, parts.suffix, parts.name].map((part) =>
    plainText(part ?? '', NAME_MAX),
  )
  if (!family) return name || given ? { literal: (name || given)! } : undefined
  if (!given || `${family}${given}${suffix}`.includes(','))
    return { family, ...(given && { given }), ...(suffix && { suffix }) }
  return familyFirst([family, given, suffix].filter(Boolean).join(', '))
}

/**
 * Parses the texts as dates. Among the dates that have the year of the first date, returns the most detailed one (a full date
 * rather than a month or a year). Undefined if no text is a date.
 */
export function dateOfTexts(...texts: (string | null | undefined)[]): CslDate | undefined {
  const dates = texts.flatMap((text) => parseDate(text ?? '') ?? []).filter((date) => date['date-parts'])
  const yearOf = (date: CslDate) => date['date-parts']![0]![0]
  const same = dates.filter((date) => yearOf(date) === yearOf(dates[0]!))
  return same.toSorted((a, b) => b['date-parts']!.flat().length - a['date-parts']!.flat().length)[0]
}

/** Returns 'first-last', or only `first` if `last` is missing or equal. */
export const pageRange = (first: string | null | undefined, last: string | null | undefined) =>
  first && last && first !== last ? `${first}-${last}` : first
