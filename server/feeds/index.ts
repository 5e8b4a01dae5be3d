export { proxyFeed } from './proxy-feed.ts'
export { readFeedNow } from './refresh.ts'
