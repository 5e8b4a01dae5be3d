/** Reads and writes reference files. The functions are pure and yield records, so that worker threads run them in parts. */
export { openReferences, readReferences } from './read-references.ts'
export { writeReferences } from './write-references.ts'
export type { ExportItem } from './export-item.ts'
export type { EarlierDecision, ReadRecord } from './read-record.ts'
