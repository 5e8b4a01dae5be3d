export { fetchFeed, type FetchedFeed, readRawFeed } from './rss/fetch-feed.ts'
export { findFeedAddress } from './rss/find-feed-address.ts'
export { parseOpmlFile, stopParsing } from './rss/parse-pool.ts'
export type { FeedItem } from './rss/parse-feed.ts'
export { downloadFile, exchangeCode, listFolder } from './google-drive/requests.ts'
export { findCrossrefWork, findCrossrefWorksByTitle } from './crossref/requests.ts'
export type { CrossrefWork } from './crossref/read-work.ts'
export { freeCopiesByUnpaywall, unpaywallIsSetUp } from './unpaywall/requests.ts'
export {
  findRetracted,
  findWorkByDoi,
  findWorksByTitle,
  searchWords,
  searchWorks,
  type WorkSearch,
} from './openalex/works.ts'
export type { Work } from './openalex/read-work.ts'
export { findSource, listJournalSources, searchSources, type SourcesPage } from './openalex/sources.ts'
