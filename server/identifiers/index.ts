/** Papers by their identifiers for other features. */
export { addPapers, lookUpLines } from './service.ts'
