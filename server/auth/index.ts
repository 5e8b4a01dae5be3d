export { SESSION_COOKIE } from './auth.ts'
export { readActor } from './service.ts'
