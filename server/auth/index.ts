export { SESSION_COOKIE } from './auth.ts'
export { oidcName } from './providers.ts'
export { readActor } from './service.ts'
export { checkFreshProof, checkPassword } from './check-password.ts'
