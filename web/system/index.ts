export { SystemPage } from './system-page.tsx'
export { JOB_NAMES } from './job-kinds.ts'
