/** The public functions of the export of references to a file. */
export { exportReferences } from './service.ts'
