export { fetchFeed, type FetchedFeed, readRawFeed } from './rss/fetch-feed.ts'
export { findFeedAddress } from './rss/find-feed-address.ts'
export { parseOpmlFile } from './rss/parse-pool.ts'
export type { FeedItem } from './rss/parse-feed.ts'
export { downloadFile, exchangeCode, listFolder } from './google-drive/requests.ts'
export { findCrossrefWork, findCrossrefWorksByTitle } from './crossref/requests.ts'
export type { CrossrefWork } from './crossref/read-work.ts'
export { ARXIV_IDS_MAX, findArxivPapers } from './arxiv/requests.ts'
export { findBook } from './open-library/requests.ts'
export { findPaperOfPage } from './web-page/requests.ts'
export { freeCopiesByUnpaywall, unpaywallIsSetUp } from './unpaywall/requests.ts'
export {
  findRetracted,
  findWorkByDoi,
  findWorkByPubMedId,
  findWorksByTitle,
  searchWords,
  searchWorks,
  type WorkSearch,
} from './openalex/works.ts'
export type { Work } from './openalex/read-work.ts'
export { isOnlyYear } from './openalex/read-reference.ts'
export { findSource, listJournalSources, searchSources, type SourcesPage } from './openalex/sources.ts'
export {
  countItems,
  openZoteroFile,
  readChangedAttachments,
  readChildren,
  readCollections,
  readDeleted,
  readItems,
  readKey,
  type ZoteroAccess,
  type ZoteroPage,
} from './zotero/requests.ts'
export type { ZoteroChild } from './zotero/wire.ts'
