/** The door to papers that are known before their file is. */
export { addPaper } from './service.ts'
export type { NewPaper } from './service.ts'
