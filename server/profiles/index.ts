export { AVATARS, avatarName } from './avatar.ts'
export { createProfile, ensureProfile, getProfile, keepAnAdmin, setAdminByEmail } from './service.ts'
