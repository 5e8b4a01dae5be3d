/** Public functions of server/processing: jobs that extract, analyze and vectorize papers. */
export { processNewPapers } from './new-papers.ts'
export { startProcessing } from './service.ts'
