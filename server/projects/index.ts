export { projectOrThrow } from './service.ts'
export { lockDefault, tagIdsOf } from './queries.ts'
export { HERO_BUCKET, heroImageKeys } from './hero-image-files.ts'
