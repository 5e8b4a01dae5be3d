export { CopyAs } from './copy-as.tsx'
export { LazyExportDialog } from './lazy-export-dialog.tsx'
