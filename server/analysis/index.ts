/** The door to the analysis of documents. */
export { analyzeDocument, startAnalysis } from './service.ts'
