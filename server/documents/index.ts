export { abstractText, searchedAbstract } from './abstract-text.ts'
export { vectorizeAfterEdit } from './automatic-vectors.ts'
export { undoAnalysis } from './analysis-undo.ts'
export { changeTags } from './change-tags.ts'
export { hideWithJobs } from './delete-documents.ts'
export {
  addTagsOf,
  changeJoined,
  JOINED_COLUMNS,
  type JoinedChange,
  type JoinedColumn,
  lockDocuments,
  removeTags,
} from './joined-document.ts'
export { IN_JOURNALS } from './edit-reference.ts'
export { fingerprintOf, nameInApi } from './edited-fields.ts'
export { withoutPage } from './edited-passages.ts'
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
export { deleteSomeDocuments } from './delete-documents.ts'
export {
  addTagsToRows,
  findCandidates,
  insertReferencedRows,
  lockAdditions,
  lockJoinedRows,
  updateReferencedRows,
} from './import-queries.ts'
export { failedStep, vectorError } from './failure-queries.ts'
export { listDocumentRows, listMatchingIds, listTitles, ofProject } from './list-queries.ts'
export { listLevelsAndTags } from './filter-queries.ts'
export { lazyText, lazyTextIn } from './lazy-text.ts'
export { findDocumentText, measureDocumentText, settledStatus, storedColumns, type StoredDocument } from './queries.ts'
export { createDocument, listSameFiles, updateDocument } from './service.ts'
export { offerText } from './text-offer.ts'
export { receivePdf, receivePdfStream } from './upload.ts'
export { presentRow, withoutText } from './present.ts'
export { createTagsOf } from './create-tags-of.ts'
export { copyDocument } from './copy-document.ts'
export { attachFile, fillPaper, insertPaper, type KnownPaper, markFileMissing } from './without-file.ts'
