export { NoticeStrip } from './notice-strip.tsx'
