export { getJob } from './service.ts'
export { hasOpenPage } from './event-stream.ts'
