export { TrashPage } from './trash-page.tsx'
export { undoDocuments, undoDocumentsOf, undoProject } from './undo.ts'
