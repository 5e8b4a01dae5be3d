export { readNotVectorized } from './queries.ts'
export { SearchPage } from './search-page.tsx'
