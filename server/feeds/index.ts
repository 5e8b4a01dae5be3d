export { proxyFeed } from './proxy-feed.ts'
