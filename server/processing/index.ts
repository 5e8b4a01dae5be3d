/** Public functions of the processing room: runs that make papers ready for questions. */
export { processNewPapers } from './new-papers.ts'
export { startProcessing } from './service.ts'
