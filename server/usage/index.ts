export { databaseSize, storageSize } from './backend.ts'
export { beginPaidCall } from './under-way.ts'
export { recordAiCall } from './record.ts'
export { refreshTotals } from './service.ts'
