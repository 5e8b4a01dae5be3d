/** Public functions of server/references: the decision whether a paper is new in a project, and new records of a source. */
export { addSourceRecords } from './add-source-records.ts'
export { withSamePapers } from './match-papers.ts'
export type { SamePaper, SourceRecord } from './tasks.ts'
