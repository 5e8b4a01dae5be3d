export { startAnalysis } from './service.ts'
