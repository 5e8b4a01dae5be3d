import { IMPORT_REFUSALS, MAX_IMPORT_RECORDS, type ReadFormat } from '#shared/contract/reference-formats.ts'
import { AppError } from '#server/lib/errors.ts'
import { matchColumns, type CsvColumns } from './csv-columns.ts'
import { inspectBibtex } from './read-bibtex.ts'
import { readCsvRows } from './read-csv.ts'
import type { ReadRecord } from './read-record.ts'
import { readReferences } from './read-references.ts'

const SHOWN = 3
/** Limits of a preview: the number of cells in a row (CELLS_MAX), and of characters in a cell (CELL_MAX). */
const CELLS_MAX = 1001
const CELL_MAX = 300

/** A summary of a reference file. */
export interface InspectedFile {
  count: number
  /** The first three records. */
  records: ReadRecord[]
  /** True if the file assigns records to groups, which can become tags. */
  hasGroups: boolean
  /** The columns of a CSV file, with the cells of its first rows. */
  columns: { header: string[]; rows: string[][]; matched: CsvColumns } | null
}

/**
 * Counts the records of a reference file and reads the first three. Entries of BibTeX are counted without parsing, because
 * parsing takes 5 ms per entry. `chosen` are the columns of a CSV file that a user assigned to fields. Throws 'refused' for a
 * file without records or with more than MAX_IMPORT_RECORDS records.
 */
export function inspectReferences(text: string, format: ReadFormat, chosen?: CsvColumns): InspectedFile {
  const bibtex = format === 'bibtex' ? inspectBibtex(text) : null
  if (bibtex && bibtex.count > MAX_IMPORT_RECORDS) throw new AppError('refused', IMPORT_REFUSALS.tooManyRecords)
  const records: ReadRecord[] = []
  let count = 0
  for (const record of readReferences(text, format, chosen)) {
    count++
    if (records.length < SHOWN) records.push(record)
    else if (bibtex) break
  }
  const rows = format === 'csv' ? readCsvRows(text, SHOWN + 1).map(shownCells) : []
  const [header = []] = rows
  return {
    count: bibtex?.count ?? count,
    records,
    hasGroups: bibtex?.hasGroups ?? false,
    columns: format === 'csv' ? { header, rows: rows.slice(1), matched: chosen ?? matchColumns(header) } : null,
  }
}

const shownCells = (row: readonly string[]) =>
  row.slice(0, CELLS_MAX).map((cell) => cell.slice(0, CELL_MAX).toWellFormed())
