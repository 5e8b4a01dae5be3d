/**
 * Public functions of server/citations: citations of papers, the title of a style, and the check of a style before it becomes a
 * default.
 */
export { citeEach, citeUnnumbered, refuseUnknownStyle, titleOfStyle } from './service.ts'
