/** Exports references to a file. Other rooms use it, too. */
export { exportReferences } from './service.ts'
