export { CLIENT_ADDRESS_HEADER } from './auth.ts'
export { readActor } from './service.ts'
