export { FeedPage } from './feed-page.tsx'
export { feedSearch } from './search.ts'
