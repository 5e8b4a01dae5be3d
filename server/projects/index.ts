export { checkProject, getProject, listProjects, projectOrThrow } from './service.ts'
export { tagIdsOf } from './tag-queries.ts'
export { transferTo } from './transfer.ts'
export { HERO_BUCKET, heroImageKeys } from './hero-image-files.ts'
