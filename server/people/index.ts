export { removeSecondFactor } from './service.ts'
