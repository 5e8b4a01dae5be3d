export { SESSION_COOKIE } from './auth.ts'
export { oidcName } from './providers.ts'
export { readActor } from './service.ts'
export { checkPassword } from './check-password.ts'
