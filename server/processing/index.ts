/** Public functions of the processing room: a run that makes papers ready for questions. */
export { startProcessing } from './service.ts'
