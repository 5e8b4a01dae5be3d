export { projectOrThrow } from './service.ts'
export { tagIdsOf } from './queries.ts'
export { HERO_BUCKET } from './hero-image-files.ts'
