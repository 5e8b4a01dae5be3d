import type { CslDate, CslName, Reference } from '#shared/contract/references.ts'
import { isoDate } from '#shared/references/dates.ts'
import { sortedName } from '#shared/references/names.ts'
import { keywordsOf, type NameField, type TextField } from './draft.ts'
import type { EarlierDecision } from './read-record.ts'
import { isPagesCounted, isVersioned } from './reference-types.ts'

/**
 * One paper of an export. The notes, the screening decision and the name of the PDF are only set if the user chose to export
 * them.
 */
export interface ExportItem {
  reference: Reference
  tags?: readonly string[]
  notes?: readonly string[]
  decision?: EarlierDecision
  /** The name of the paper's PDF in the archive that also contains this file. */
  file?: string
}

export interface WriteOptions {
  /** Writes characters outside ASCII as commands of LaTeX, in BibTeX and BibLaTeX. */
  asLatex?: boolean
  /**
   * A long file is written in parts. `isFirst` means that this part begins the file, for example with a header; `isLast` means
   * that it ends the file. Both are true by default.
   */
  isFirst?: boolean
  isLast?: boolean
  /** The number of papers in the earlier parts of the file. The papers of this part are numbered after them. */
  before?: number
}

/** Returns the keywords of a reference and the tags of its paper without duplicates. */
export const keywordsAndTags = ({ reference, tags = [] }: ExportItem) => [
  ...new Set([...keywordsOf(reference), ...tags]),
]

/** Returns each line of the notes, then the decision as `LECTERN-DECISION: value; stage; reason`. */
export function notesOf({ reference, notes = [], decision }: ExportItem): string[] {
  const { value, stage = '', reason = '' } = decision ?? {}
  const all = [reference.note ?? '', ...notes].flatMap((note) => note.split('\n')).filter((note) => note.trim())
  return value ? [...all, `LECTERN-DECISION: ${value}; ${stage}; ${reason}`.replace(/[; ]+$/, '')] : all
}

/**
 * Returns the first and the last page of one range; otherwise only the whole text, for example one page, an article number or
 * several ranges.
 */
export function pagesOf({ page }: Reference): [first?: string, last?: string] {
  const range = /^([^\s,-]+)-([^\s,-]+)$/.exec(page ?? '')
  return range ? [range[1], range[2]] : [page]
}

/**
 * Returns the reference of an item with the fields that RIS and EndNote use: `edition` contains the version of software and
 * datasets, and `page` the number of pages of a book or thesis without a page range.
 */
export const withSharedFields = ({ reference }: ExportItem): Reference => ({
  ...reference,
  ...(isVersioned(reference.type) && reference.version && { edition: reference.version }),
  ...(isPagesCounted(reference.type) && !reference.page && { page: reference['number-of-pages'] }),
})

/**
 * Returns `[tag, value]` for each field in the table that has a value in the reference. Each row of the table is a field and
 * the tag of this field in the file format.
 */
export const textValues = (item: Reference, table: readonly [TextField, ...string[]][]) =>
  table.flatMap(([field, tag = '']): [string, string][] => (item[field] ? [[tag, item[field]]] : []))

/**
 * Returns `[tag, name]` for each name of a reference that the table contains. Each row of the table is a field with names, such
 * as 'author', and the tag of this field in the file format. `write` converts a name to text.
 */
export const nameValues = (
  item: Reference,
  table: readonly [NameField, ...string[]][],
  write: (name: CslName) => string,
) => table.flatMap(([field, tag = '']) => (item[field] ?? []).map((name): [string, string] => [tag, write(name)]))

/**
 * Returns a name as 'Family, Given, Suffix'. A literal name that contains a comma ends with a comma, as in EndNote, because a
 * reader would otherwise take it as a family name and a given name.
 */
export const listedName = (name: CslName) => (name.literal?.includes(',') ? `${name.literal},` : sortedName(name))

/** Returns true if a date is a single year, month or day, and false for a range, a season or an uncertain date. */
export const isPlainDate = (date: CslDate) => date['date-parts']?.length === 1 && !date.circa && !date.season

/** Returns the parts of a plain date: '2019', '03' and '05', with '' for missing parts. */
export function dateColumns(date: CslDate): [year: string, month: string, day: string] {
  const [year = '', month = '', day = ''] = isoDate(date).split('-')
  return [year, month, day]
}

/** Returns a value with its line breaks replaced by spaces. */
export const inOneLine = (value: string) => value.replaceAll(/\s*[\r\n]+\s*/g, ' ')

/**
 * Returns keywords separated by semicolons. A single keyword that contains a comma ends with a semicolon, because a reader
 * would otherwise split it at the comma.
 */
export const keywordList = (words: readonly string[]) =>
  words.length === 1 && words[0]!.includes(',') ? `${words[0]};` : words.join('; ')
