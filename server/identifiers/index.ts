export { addPapers, lookUpLines } from './service.ts'
