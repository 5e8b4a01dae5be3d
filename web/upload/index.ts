export { BatchProgress } from './batch-progress.tsx'
export { UploadDialog } from './upload-dialog.tsx'
export { useUploadQueue } from './upload-queue.ts'
export { usePageDrop } from './use-page-drop.ts'
