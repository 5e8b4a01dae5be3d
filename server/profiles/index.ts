export { AVATARS, avatarName } from './avatar.ts'
export { changeProfileByCall } from './change-profile.ts'
export { countAdmins, hasSignedIn, lockAdmins, touchSignIn, updateRights } from './queries.ts'
export {
  createProfile,
  getProfile,
  isDisabled,
  isEmptyInstallation,
  keepAnAdmin,
  mayAdminister,
  openProfile,
  setAdminByClaim,
} from './service.ts'
