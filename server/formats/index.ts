/** Reads and writes references. The functions are pure and yield records, so that worker threads run them in parts. */
export { matchColumns } from './csv-columns.ts'
export { inspectReferences } from './inspect-references.ts'
export { openReferences, readReferences } from './read-references.ts'
export { writeReferences } from './write-references.ts'
export type { CsvColumns, CsvField } from './csv-columns.ts'
export type { ExportItem, WriteOptions } from './export-item.ts'
export type { InspectedFile } from './inspect-references.ts'
export type { EarlierDecision, ReadRecord } from './read-record.ts'
