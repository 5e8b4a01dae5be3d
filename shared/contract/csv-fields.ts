import { z } from 'zod'

/**
 * The fields to which users assign CSV columns, with their labels, the most common fields first. `included` and
 * `exclusion-reason` are decisions of an earlier screening; they are stored with the record, but do not select papers.
 */
export const CSV_FIELDS = {
  title: 'Title',
  author: 'Authors',
  year: 'Year',
  'container-title': 'Journal',
  DOI: 'DOI',
  PMID: 'PMID',
  abstract: 'Abstract',
  keyword: 'Keywords',
  URL: 'URL',
  type: 'Type',
  included: 'Included',
  'exclusion-reason': 'Exclusion reason',
  note: 'Notes',
  volume: 'Volume',
  issue: 'Issue',
  page: 'Pages',
  issued: 'Date',
  month: 'Month',
  day: 'Day',
  'citation-key': 'Citation key',
  editor: 'Editors',
  translator: 'Translators',
  'container-title-short': 'Journal abbreviation',
  'collection-title': 'Series',
  'title-short': 'Short title',
  number: 'Number',
  publisher: 'Publisher',
  'publisher-place': 'Place',
  PMCID: 'PMCID',
  ISBN: 'ISBN',
  ISSN: 'ISSN',
  accessed: 'Accessed',
  language: 'Language',
  edition: 'Edition',
  version: 'Version',
  genre: 'Genre',
  'collection-editor': 'Series editors',
  'container-author': 'Authors of the book',
  section: 'Section',
  'number-of-volumes': 'Number of volumes',
  'number-of-pages': 'Number of pages',
  'event-title': 'Conference',
  'call-number': 'Call number',
  archive: 'Archive',
  archive_location: 'Place in the archive',
} as const
export type CsvFieldName = keyof typeof CSV_FIELDS

/** The index (from 0) of the CSV column of each matched field. */
export const csvColumns = z.partialRecord(
  z.enum(Object.keys(CSV_FIELDS) as [CsvFieldName, ...CsvFieldName[]]),
  z.number().int().min(0).max(1000),
)
