/** Public functions of the recommendations room, which searches for papers to recommend to a project. */
export { researchPapers } from './service.ts'
export { moveRecommendations, returnRecommendations } from './queries.ts'
