/** Public functions of server/imports: the imports of a project and their records. */
export {
  cancelImportsOf,
  endImports,
  findImport,
  insertImport,
  insertRecords,
  lockImport,
  moveRecords,
  recordPapers,
  type RecordCounts,
  returnRecords,
  type StoredImport,
  updateImport,
} from './queries.ts'
export { countUndo, listUsedOnlyBy, listWithoutFile, presentImport } from './list-queries.ts'
export type { ImportKind } from '#shared/contract/imports.ts'
