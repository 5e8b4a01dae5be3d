export { CopyAs } from './copy-as.tsx'
export { ExportDialog } from './export-dialog.tsx'
