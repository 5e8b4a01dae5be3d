export { databaseSize, storageSize } from './backend.ts'
export { checkBudget } from './budgets.ts'
export { recordAiCall } from './record.ts'
export { refreshTotals } from './service.ts'
