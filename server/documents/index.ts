export { undoAnalysis } from './analysis-undo.ts'
export { fingerprintOf } from './edited-fields.ts'
export {
  applyAnalysis,
  failDocument,
  markProcessing,
  markVectorized,
  rememberScan,
  saveExtractedText,
  settleDocument,
  type AnalysisForDocument,
  type ExtractedForDocument,
} from './results.ts'
export { documentAtKeyOrThrow, documentOrThrow, publishChanges } from './rows.ts'
export { lazyText } from './lazy-text.ts'
export { findDocumentText, measureDocumentText, storedColumns, type StoredDocument } from './queries.ts'
export { createDocument, updateDocument } from './service.ts'
export { offerText } from './text-offer.ts'
export { receivePdf, receivePdfStream } from './upload.ts'
export { presentRow } from './present.ts'
export { attachFile, fillPaper, insertPaper, type KnownPaper, markFileMissing } from './without-file.ts'
