/** Public functions of the papers room: documents that have metadata before they have a file. */
export { addPaper, fetchFiles } from './service.ts'
export type { NewPaper } from './service.ts'
export { findPaper } from './queries.ts'
