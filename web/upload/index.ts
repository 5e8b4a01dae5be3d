export { BatchProgress } from './batch-progress.tsx'
export { LazyUploadDialog } from './lazy-upload-dialog.tsx'
export { useUploadQueue } from './upload-queue.ts'
export { usePageDrop } from './use-page-drop.ts'
