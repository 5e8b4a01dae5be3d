/** Citations of papers for other features. */
export { citeEach, refuseUnknownStyle } from './service.ts'
