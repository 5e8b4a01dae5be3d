export { DocumentPage } from './document-page.tsx'
export { DocumentsPage } from './documents-page.tsx'
export { documentsQuery } from './queries.ts'
export { documentsSearch } from './search.ts'
