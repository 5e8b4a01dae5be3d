/** Public functions of server/recommendations: the search for papers to recommend to a project. */
export { researchPapers } from './service.ts'
export { moveRecommendations, returnRecommendations } from './queries.ts'
