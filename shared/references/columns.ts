import { calendarDay } from '#shared/contract/calendar-day.ts'
import { doiText } from '#shared/contract/doi.ts'
import type { CslDate, CslName, Reference } from '#shared/contract/references.ts'
import { displayName } from './names.ts'
import { splitName } from './split-name.ts'

/** The columns of a document whose values are also in its reference. */
export interface ReferenceColumns {
  title: string | null
  doi_link: string | null
  /** YYYY-MM-DD; null if the date is not one full day. */
  publication_date: string | null
  journal_name: string | null
  /** 'Given Family' or the literal name. */
  authors: string[]
  abstract: string | null
  link: string | null
}

/** A stored reference. The reference of a new document can be empty. */
export type StoredReference = Partial<Reference>

/** For each document column whose value is also in the reference: the CSL field of the reference with this value. */
export const FIELD_OF_COLUMN = {
  title: 'title',
  doi_link: 'DOI',
  publication_date: 'issued',
  journal_name: 'container-title',
  authors: 'author',
  abstract: 'abstract',
  link: 'URL',
} as const satisfies Record<keyof ReferenceColumns, keyof Reference>
export type ReferenceColumn = keyof typeof FIELD_OF_COLUMN
export const REFERENCE_COLUMNS = Object.keys(FIELD_OF_COLUMN) as ReferenceColumn[]

const ARXIV_DOI = /^10\.48550\/arxiv\./i

/** Returns a text without the tags of CSL markup: italics, bold, super- and subscript, small capitals, and spans. */
export const plainText = (text: string | undefined): string =>
  (text ?? '').replaceAll(/<\/?(?:i|b|em|strong|sup|sub|sc|span)(?:\s[^<>]*)?>/gi, '')

/** Returns the values of the columns, from the fields of a reference. */
export function columnsOf(reference: StoredReference): ReferenceColumns {
  return {
    title: plainText(reference.title) || null,
    doi_link: reference.DOI || null,
    publication_date: dayOf(reference.issued),
    journal_name: plainText(reference['container-title']) || null,
    authors: (reference.author ?? []).map((name) => displayName(name).trim()).filter(Boolean),
    abstract: reference.abstract || null,
    link: reference.URL && /^https?:\/\//i.test(reference.URL) ? reference.URL : null,
  }
}

/**
 * Returns the reference of a document after a change of columns of the document. A column that is missing, or equals the value
 * of the reference, changes nothing: a partial date and the parts of names stay. An empty column removes the field. An author
 * whose displayed name is already in the reference retains the parts of that name; `splitName` splits all other names. A
 * reference without a type gets 'article-journal', or 'article' for a preprint of arXiv.
 */
export function withColumns(reference: StoredReference, columns: Partial<ReferenceColumns>): Reference {
  const now = columnsOf(reference)
  const next: StoredReference = { ...reference }
  const put = <Field extends keyof Reference>(field: Field, value: Reference[Field] | null) => {
    if (value) next[field] = value
    else delete next[field]
  }
  const isChanged = (column: ReferenceColumn, value: unknown) =>
    columns[column] !== undefined && JSON.stringify(value) !== JSON.stringify(now[column])

  const doi = columns.doi_link ? doiText(columns.doi_link) || null : null
  if (isChanged('title', columns.title || null)) put('title', columns.title ?? null)
  if (isChanged('doi_link', doi)) put('DOI', doi)
  if (isChanged('publication_date', columns.publication_date)) put('issued', dateOf(columns.publication_date))
  if (isChanged('journal_name', columns.journal_name || null)) put('container-title', columns.journal_name ?? null)
  if (isChanged('abstract', columns.abstract || null)) put('abstract', columns.abstract ?? null)
  if (isChanged('link', columns.link || null)) put('URL', columns.link ?? null)
  if (isChanged('authors', columns.authors)) {
    const known = new Map((reference.author ?? []).map((name) => [displayName(name), name]))
    const names = (columns.authors ?? [])
      .filter((name) => name.trim())
      .map((name) => known.get(name) ?? splitName(name))
    put('author', names.length > 0 ? names : null)
  }
  return { ...next, type: next.type ?? defaultType(next) }
}

const defaultType = ({ DOI }: StoredReference): Reference['type'] =>
  DOI && ARXIV_DOI.test(DOI) ? 'article' : 'article-journal'

/** The full day of a date, YYYY-MM-DD; null for a year, a month, a range, an uncertain date and a day that does not exist. */
function dayOf(date: CslDate | undefined): string | null {
  const [parts, end] = date?.['date-parts'] ?? []
  if (!parts || end || date?.circa || parts.length < 3) return null
  const [year, month, day] = parts.map(String) as [string, string, string]
  return (
    calendarDay.safeParse(`${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`).data ?? null
  )
}

const dateOf = (day: string | null | undefined): CslDate | null =>
  day ? { 'date-parts': [day.split('-').map(Number)] } : null

/** Returns the year of publication, or null. */
export const yearOf = ({ issued }: StoredReference): number | null => issued?.['date-parts']?.[0]?.[0] ?? null

/** Returns the family name of the first author, or the literal name. */
export const firstFamily = ({ author }: { author?: readonly CslName[] | undefined }): string => {
  const first = author?.[0]
  return first?.family || first?.literal || first?.given || ''
}
