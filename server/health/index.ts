export { checkReady } from './service.ts'
