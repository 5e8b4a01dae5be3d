/** Public functions of the recommendations room. */
export { researchPapers } from './service.ts'
export { moveRecommendations, returnRecommendations } from './queries.ts'
