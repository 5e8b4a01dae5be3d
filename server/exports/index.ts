export { exportReferences } from './service.ts'
