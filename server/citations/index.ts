export { citeEach, refuseUnknownStyle } from './service.ts'
