export { readActor } from './service.ts'
