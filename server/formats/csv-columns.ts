import type { NameField, TextField } from './draft.ts'

/** The fields of a reference that contain names of persons and that have a column in a CSV file. */
export const CSV_NAME_FIELDS = ['author', 'editor', 'translator', 'collection-editor', 'container-author'] as const
type CsvNames = Extract<NameField, (typeof CSV_NAME_FIELDS)[number]>

/** A field of a reference or of a decision to which a column of a CSV file can be assigned. */
export type CsvField =
  | TextField
  | CsvNames
  | 'issued'
  | 'year'
  | 'month'
  | 'day'
  | 'accessed'
  | 'type'
  | 'included'
  | 'exclusion-reason'

/** The zero-based index of the column that is assigned to each field. */
export type CsvColumns = Partial<Record<CsvField, number>>

/**
 * For each field, the column names of ASReview, Rayyan, Covidence, PubMed and Zotero, in lower case with spaces. Lectern writes
 * the first name. If a file has several of the names, the column with the name that is listed first is read.
 */
export const CSV_NAMES: [CsvField, ...names: string[]][] = [
  ['citation-key', 'key', 'citation key', 'bibtex key'],
  ['type', 'type', 'item type', 'publication type', 'document type', 'reference type'],
  ['title', 'title', 'primary title', 'article title', 'document title', 'study title', 'publication title'],
  ['author', 'authors', 'author', 'author names', 'author full names', 'first authors'],
  ['editor', 'editors', 'editor'],
  ['translator', 'translators', 'translator'],
  ['collection-editor', 'series editor', 'series editors'],
  ['container-author', 'book author', 'book authors'],
  ['year', 'year', 'publication year', 'published year', 'pubyear'],
  ['issued', 'date', 'publication date', 'published'],
  ['month', 'month', 'published month'],
  ['day', 'day'],
  [
    'container-title',
    'journal',
    'publication title',
    'journal/book',
    'source title',
    'secondary title',
    'journal name',
    'source',
  ],
  ['container-title-short', 'journal abbreviation', 'abbreviated source title'],
  ['collection-title', 'series', 'series title'],
  ['title-short', 'short title'],
  ['volume', 'volume'],
  ['issue', 'issue'],
  ['page', 'pages', 'page', 'page range'],
  ['number', 'number', 'report number'],
  ['publisher', 'publisher'],
  ['publisher-place', 'place', 'publisher location'],
  ['DOI', 'doi'],
  ['PMID', 'pmid', 'pubmed id', 'pubmed'],
  ['PMCID', 'pmcid', 'pmc id'],
  ['ISBN', 'isbn'],
  ['ISSN', 'issn'],
  ['URL', 'url', 'urls', 'link'],
  ['accessed', 'accessed', 'access date'],
  ['abstract', 'abstract', 'abstract note', 'notes abstract'],
  ['keyword', 'keywords', 'keyword', 'manual tags', 'author keywords', 'tags'],
  ['language', 'language'],
  ['edition', 'edition'],
  ['version', 'version'],
  ['genre', 'genre', 'thesis type'],
  ['section', 'section'],
  ['number-of-volumes', 'number of volumes'],
  ['number-of-pages', 'num pages', 'number of pages'],
  ['event-title', 'conference name', 'meeting name'],
  ['call-number', 'call number'],
  ['archive', 'archive'],
  ['archive_location', 'archive location'],
  ['note', 'notes', 'note', 'extra'],
  ['included', 'decision', 'included', 'label included', 'asreview label', 'label'],
  ['exclusion-reason', 'exclusion reason', 'reason', 'exclusion reasons'],
]

const nameOf = (cell: string) =>
  cell
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')

/**
 * Assigns the columns of a CSV file to fields by the names in its first line, each column to at most one field. A user can
 * change the result.
 */
export function matchColumns(header: readonly string[]): CsvColumns {
  const names = header.map(nameOf)
  const columns: CsvColumns = {}
  for (const [field, ...known] of CSV_NAMES) {
    const free = known
      .map((name) => names.indexOf(name))
      .find((at) => at !== -1 && !Object.values(columns).includes(at))
    if (free !== undefined) columns[field] = free
  }
  return columns
}
