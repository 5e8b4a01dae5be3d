export { SearchPage } from './search-page.tsx'
export { passageSearch } from './search-params.ts'
