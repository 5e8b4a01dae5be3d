/** Public functions of the search over passages of several papers. */
export { stopCodes } from './code-pool.ts'
