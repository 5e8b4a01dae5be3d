export { migrationServer } from './migration-server.ts'
export { checkReady } from './service.ts'
