export { projectOrThrow } from './service.ts'
export { tagIdsOf } from './queries.ts'
