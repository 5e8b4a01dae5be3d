import { z } from 'zod'

/** The formats of reference files that the server reads. */
export const READ_FORMATS = [
  'bibtex',
  'ris',
  'nbib',
  'pubmed-xml',
  'endnote-tagged',
  'endnote-xml',
  'web-of-science',
  'csl-json',
  'csv',
] as const
export const readFormat = z.enum(READ_FORMATS)
export type ReadFormat = z.infer<typeof readFormat>

/** The formats of reference files that the server writes, with the extension of the file. */
export const WRITE_FORMATS = {
  bibtex: 'bib',
  biblatex: 'bib',
  ris: 'ris',
  'csl-json': 'json',
  'endnote-xml': 'xml',
  nbib: 'nbib',
  csv: 'csv',
} as const
export type WriteFormat = keyof typeof WRITE_FORMATS

/** The limits of an import file: its size in bytes and its number of records. */
export const MAX_IMPORT_BYTES = 50 * 1024 * 1024
export const MAX_IMPORT_RECORDS = 50_000

/** The error messages for an import file that is refused as a whole. */
export const IMPORT_REFUSALS = {
  unknownFormat:
    'Lectern cannot read this file. It reads BibTeX, RIS, PubMed, EndNote, Web of Science, CSL-JSON and CSV.',
  noReferences: 'No references found in this file.',
  tooLarge: 'This file is larger than 50 MB. Export it in parts.',
  tooManyRecords: 'This file has more than 50,000 records. Export it in parts.',
} as const
