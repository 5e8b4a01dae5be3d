/** Starts the automatic processing of new papers. */
export { processNewPapers } from './new-papers.ts'
export { startProcessing } from './service.ts'
