/** The door to papers that are recommended. */
export { researchPapers } from './service.ts'
