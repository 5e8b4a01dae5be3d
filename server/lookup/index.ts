/** Public functions of the papers room: documents that have metadata before they have a file. */
export { addPaper, fetchFiles } from './service.ts'
export { findByDoi } from './look-up.ts'
export type { NewPaper } from './service.ts'
export { lockPaper } from './queries.ts'
