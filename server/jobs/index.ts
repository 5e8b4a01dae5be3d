export { hasOpenPage } from './event-stream.ts'
