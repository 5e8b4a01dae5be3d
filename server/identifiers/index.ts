/** Functions for other rooms that find and add papers by their identifiers. */
export { addPapers, lookUpLines } from './service.ts'
