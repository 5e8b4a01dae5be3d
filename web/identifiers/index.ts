export { AddPage } from './add-page.tsx'
export { Bookmarklet } from './bookmarklet.tsx'
export { IdentifiersDialog } from './identifiers-dialog.tsx'
export { sharedIdentifier } from './shared-identifier.ts'
