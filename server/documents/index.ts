export {
  applyAnalysis, documentOrThrow, failDocument, markProcessing, markVectorized, openDocumentFile, saveExtractedText, settleDocument,
  type AnalysisForDocument, type ExtractedForDocument,
} from './service.ts'
export type { StoredDocument } from './queries.ts'
export { receivePdf } from './upload.ts'
