export { DuplicatesHint } from './duplicates-hint.tsx'
export { DuplicatesPage } from './duplicates-page.tsx'
export { JoinedPapers } from './joined-papers.tsx'
