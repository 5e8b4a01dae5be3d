export { CiteButton } from './cite-button.tsx'
export { CitationNotice } from './citation-notice.tsx'
export { copyCitations } from './copy-citations.ts'
