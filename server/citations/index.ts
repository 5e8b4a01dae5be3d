/** Public functions of server/citations: citations of papers, and the check of a style before it becomes a default. */
export { citeEach, citeUnnumbered, refuseUnknownStyle } from './service.ts'
