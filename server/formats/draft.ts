import type {
  CSL_DATE_FIELDS,
  CSL_NAME_FIELDS,
  CSL_TEXT_FIELDS,
  CslName,
  Reference,
} from '#shared/contract/references.ts'
import { doiOf } from '#shared/references/identifiers.ts'
import { parseDate } from '#shared/references/dates.ts'
import { isBookLike, isPagesCounted, isVersioned } from './reference-types.ts'

export type TextField = (typeof CSL_TEXT_FIELDS)[number]
export type NameField = (typeof CSL_NAME_FIELDS)[number]
export type DateField = (typeof CSL_DATE_FIELDS)[number]

/** Returns a value in one line: line breaks and repeated white space become one space. */
export const oneLine = (value: string) => value.replaceAll(/\s+/g, ' ').trim()

/** Returns the paragraphs of a value, which blank lines separate, each in one line. */
const paragraphs = (value: string) =>
  value
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map(oneLine)
    .filter(Boolean)
    .join('\n\n')

/**
 * Sets a text field to the first of the values that is not empty, with line breaks replaced by spaces; only an abstract keeps
 * its paragraphs. A field that has a value does not change.
 */
export function setText(item: Reference, field: TextField, ...values: (string | undefined)[]): void {
  if (item[field] !== undefined) return
  const clean = field === 'abstract' ? paragraphs : oneLine
  const value = values.map((one) => clean(one ?? '')).find((one) => one !== '')
  if (value !== undefined) item[field] = value
}

/**
 * Parses names with `read` and adds them to a field. Omits texts that `read` does not recognize, and names that the field had
 * before.
 */
export function addNames(
  item: Reference,
  field: NameField,
  names: readonly string[],
  read: (name: string) => CslName | undefined,
): void {
  const known = item[field] ?? []
  const seen = new Set(known.map((name) => JSON.stringify(name)))
  for (const text of names) {
    const name = read(text)
    if (name && !seen.has(JSON.stringify(name))) known.push(name)
  }
  if (known.length > 0) item[field] = known
}

/**
 * Sets a date field to the most detailed value (a full date or an approximate year rather than a year) that has the year of the
 * first date. A value that is not a date is used only if no value is a date. Does not change a field that has a value.
 */
export function setDate(item: Reference, field: DateField, ...values: (string | undefined)[]): void {
  if (item[field]) return
  const dates = values.flatMap((value) => parseDate(value ?? '') ?? [])
  const detail = (date: (typeof dates)[number]) =>
    (date['date-parts']?.flat().length ?? 0) + (date.season || date.circa ? 1 : 0)
  const year = dates.find((date) => date['date-parts'])?.['date-parts']?.[0]?.[0]
  // A second date of another year is not a more detailed form of the first.
  const same = dates.filter((date) => date['date-parts']?.[0]?.[0] === year)
  const best = same.toSorted((a, b) => detail(b) - detail(a))[0]
  if (best) item[field] = best
}

const KEYWORD_SEPARATOR = '; '

/** Adds keywords. `keyword` contains each keyword once, joined by '; '. */
export function addKeywords(item: Reference, words: readonly string[]): void {
  const all = [...keywordsOf(item), ...words.flatMap((word) => word.split(/[;\n]/)).map(oneLine)].filter(Boolean)
  if (all.length > 0) item.keyword = [...new Set(all)].join(KEYWORD_SEPARATOR)
}

/**
 * Adds keywords to a reference. `list` is a text that contains them, separated by semicolons, or by commas if the text has no
 * semicolon.
 */
export const addKeywordList = (item: Reference, list: string) =>
  addKeywords(item, list.includes(';') ? [list] : list.split(','))

/** Returns the keywords of a reference. */
export const keywordsOf = (item: Reference) => item.keyword?.split(/\s*;\s*/).filter(Boolean) ?? []

/** Adds notes to the field `note`, separated by line breaks. */
export function addNotes(item: Reference, notes: readonly string[]): void {
  const all = [item.note ?? '', ...notes.map((note) => note.replaceAll(/[^\S\n]+/g, ' ').replaceAll(/ ?\n\s*/g, '\n'))]
  const text = all
    .map((note) => note.trim())
    .filter(Boolean)
    .join('\n')
  if (text) item.note = text
}

/**
 * Stores values for which CSL has no field in `custom`. The key is the name of the field in the source; one value becomes a
 * text, several values a list.
 */
export function addCustom(item: Reference, name: string, values: readonly string[]): void {
  if (values.length > 0) item.custom = { ...item.custom, [name]: values.length === 1 ? values[0] : values }
}

/**
 * Sets the DOI of a reference that has none to the first DOI in the values. A value can be a DOI, an address of doi.org, or a
 * text that contains a DOI. Returns whether a value has a DOI.
 */
export function setDoi(item: Reference, values: readonly string[]): boolean {
  const found = values.map(doiOf).find(Boolean)
  if (found && item.DOI === undefined) item.DOI = found
  return found !== undefined
}

/** Matches a value that begins with a DOI or with an address of a DOI. */
const ONLY_DOI = /^(?:doi:?\s*)?(?:10\.\d{4}|https?:\/\/\S*doi\.org\/)/i

/**
 * Separates the values that consist of a DOI or an address of doi.org from all other values, such as a text that contains a
 * DOI.
 */
export function splitDois(values: readonly string[]): [dois: string[], others: string[]] {
  const dois = values.filter((value) => ONLY_DOI.test(value) && !value.includes(' ', 30))
  return [dois, values.filter((value) => !dois.includes(value))]
}

const ISSN = /(?<![\d-])\d{4}-?\d{3}[\dXx](?![\d-])/g
const ISBN = /(?<![\d-])(?:97[89][- ]?)?\d{1,5}[- ]?\d{1,7}[- ]?\d{1,7}[- ]?[\dXx](?![\d-])/g

/**
 * Finds ISSNs and ISBNs in the values by their format, and sets the fields `ISSN` and `ISBN`. If no value has a known format,
 * the whole text becomes the ISBN of a book-like type or the ISSN of another type.
 */
export function setSerialNumbers(item: Reference, values: readonly string[]): void {
  const text = values.join('\n')
  const isbns = (text.match(ISBN) ?? []).filter((one) =>
    /^(?:\d{9}[\dXx]|97[89]\d{10})$/.test(one.replaceAll(/[- ]/g, '')),
  )
  const rest = isbns.reduce((left, isbn) => left.replace(isbn, ' '), text)
  const issns = (rest.match(ISSN) ?? []).map((issn) => issn.replace(/^(\d{4})-?(\w{4})$/, '$1-$2').toUpperCase())
  setText(item, 'ISBN', [...new Set(isbns)].join(', '))
  setText(item, 'ISSN', [...new Set(issns)].join(', '))
  if (isbns.length + issns.length === 0) setText(item, isBookLike(item.type) ? 'ISBN' : 'ISSN', text)
}

/**
 * Moves the value of `edition` to `version` if the reference is software or a dataset, because RIS and EndNote write the
 * version of these types in the field for the edition. Does not change other types.
 */
export function setVersion(item: Reference): void {
  if (!isVersioned(item.type) || item.edition === undefined) return
  item.version = item.edition
  delete item.edition
}

/**
 * Sets the pages from the first and the last page. For a book or a thesis, a single number without a last page is the number of
 * its pages and is stored in `number-of-pages`.
 */
export function setPagesOrCount(item: Reference, first: string | undefined, last: string | undefined): void {
  if (isPagesCounted(item.type) && !last?.trim() && /^\s*\d+\s*$/.test(first ?? ''))
    setText(item, 'number-of-pages', first)
  else setPages(item, first, last)
}

/** Sets the pages from the first and the last page: '193' and '194' become '193-194'. `first` may be a range. */
export function setPages(item: Reference, first: string | undefined, last: string | undefined): void {
  const start = oneLine(first ?? '').replaceAll(/[\u2010-\u2015]|--+/g, '-')
  const end = oneLine(last ?? '')
  setText(item, 'page', start && end && start !== end && !start.includes('-') ? `${start}-${end}` : start || end)
}
