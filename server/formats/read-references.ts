import {
  IMPORT_REFUSALS,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_RECORDS,
  type ReadFormat,
} from '#shared/contract/reference-formats.ts'
import { AppError } from '#server/lib/errors.ts'
import { decodeFile } from './decode-file.ts'
import { detectFormat } from './detect-format.ts'
import type { CsvColumns } from './csv-columns.ts'
import { readBibtex } from './read-bibtex.ts'
import { readCslJson } from './read-csl-json.ts'
import { readCsv } from './read-csv.ts'
import { readEndnoteTagged } from './read-endnote-tagged.ts'
import { readEndnoteXml } from './read-endnote-xml.ts'
import { readNbib } from './read-nbib.ts'
import { readPubmedXml } from './read-pubmed-xml.ts'
import type { ReadRecord } from './read-record.ts'
import { readRis } from './read-ris.ts'
import { readWebOfScience } from './read-web-of-science.ts'

const READERS: Record<ReadFormat, (text: string) => Generator<ReadRecord>> = {
  bibtex: readBibtex,
  ris: readRis,
  nbib: readNbib,
  'pubmed-xml': readPubmedXml,
  'endnote-tagged': readEndnoteTagged,
  'endnote-xml': readEndnoteXml,
  'web-of-science': readWebOfScience,
  'csl-json': readCslJson,
  csv: readCsv,
}

/**
 * Decodes a reference file and detects its format, unless the user has chosen one. Throws 'too_large' for a file of more than
 * MAX_IMPORT_BYTES and 'refused' for an unknown format.
 */
export function openReferences(bytes: Uint8Array, chosen?: ReadFormat): { text: string; format: ReadFormat } {
  if (bytes.length > MAX_IMPORT_BYTES) throw new AppError('too_large', IMPORT_REFUSALS.tooLarge)
  const text = decodeFile(bytes)
  const format = chosen ?? detectFormat(text)
  if (!format) throw new AppError('refused', IMPORT_REFUSALS.unknownFormat)
  return { text, format }
}

/**
 * Reads the records of a file one after the other. A record that cannot be read has a `reason`, and the next records are still
 * read. Throws 'refused' for a file without records, and after MAX_IMPORT_RECORDS records if the file contains more. `columns`
 * are the columns of a CSV file that a user assigned to fields.
 */
export function* readReferences(text: string, format: ReadFormat, columns?: CsvColumns): Generator<ReadRecord> {
  let count = 0
  for (const record of format === 'csv' ? readCsv(text, columns) : READERS[format](text)) {
    if (++count > MAX_IMPORT_RECORDS) throw new AppError('refused', IMPORT_REFUSALS.tooManyRecords)
    yield record
  }
  if (count === 0) throw new AppError('refused', IMPORT_REFUSALS.noReferences)
}
