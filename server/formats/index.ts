/** Reads, compares and writes references. The functions are pure and yield records, so that worker threads run them in parts. */
export { matchColumns } from './csv-columns.ts'
export { candidateKeys, comparedReference, compareReferences } from './duplicates.ts'
export { openReferences, readReferences } from './read-references.ts'
export { writeReferences } from './write-references.ts'
export type { CsvColumns, CsvField } from './csv-columns.ts'
export type { ComparedReference, Likeness } from './duplicates.ts'
export type { ExportItem } from './export-item.ts'
export type { EarlierDecision, ReadRecord } from './read-record.ts'
