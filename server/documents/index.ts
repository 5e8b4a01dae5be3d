export {
  applyAnalysis,
  failDocument,
  markProcessing,
  markVectorized,
  saveExtractedText,
  settleDocument,
  type AnalysisForDocument,
  type ExtractedForDocument,
} from './results.ts'
export { documentAtKeyOrThrow, documentOrThrow } from './rows.ts'
export type { StoredDocument } from './queries.ts'
export { createDocument, setAutomaticProcessing } from './service.ts'
export { receivePdf, receivePdfStream } from './upload.ts'
