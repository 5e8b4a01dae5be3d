export {
  applyAnalysis,
  documentAtKeyOrThrow,
  documentOrThrow,
  failDocument,
  markProcessing,
  markVectorized,
  saveExtractedText,
  settleDocument,
  type AnalysisForDocument,
  type ExtractedForDocument,
} from './service.ts'
export type { StoredDocument } from './queries.ts'
export { receivePdf } from './upload.ts'
