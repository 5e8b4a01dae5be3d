export { getJob, listJobs } from './service.ts'
export { hasOpenPage } from './event-stream.ts'
