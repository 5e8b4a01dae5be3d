/** Public functions of server/identifiers: they find and add papers by their identifiers, such as DOIs. */
export { addPapers, lookUpLines } from './service.ts'
