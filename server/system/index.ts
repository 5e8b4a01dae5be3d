export { failedJobIds, retryJobByOperator } from './service.ts'
