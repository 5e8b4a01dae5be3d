export { createProfile, ensureProfile, setAdminByEmail } from './service.ts'
