/** Public functions of the imports room: the records of papers that are added to a project. */
export { type ImportKind, recordPaper } from './queries.ts'
