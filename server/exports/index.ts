/** The export of references for other features. */
export { exportReferences } from './service.ts'
