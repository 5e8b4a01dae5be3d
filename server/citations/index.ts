/** Citations of papers for other features. */
export { citeEach, citeUnnumbered, refuseUnknownStyle } from './service.ts'
