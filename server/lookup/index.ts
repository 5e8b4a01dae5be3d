/** Public functions of server/lookup: they add papers by their metadata, and fetch the PDFs of papers without a file. */
export { addPaper, fetchFiles } from './service.ts'
export type { NewPaper } from './service.ts'
export { findPaper } from './queries.ts'
