export { authorize, type Authorized } from './authorize.ts'
export { addMember, replaceDefault, replaceDefaultOf, setDefault, setMissingDefaults } from './default-project.ts'
export { noteVisit } from './note-visit.ts'
export {
  accountName,
  addressIn,
  hasRight,
  isDefault,
  deleteInvitationsTo,
  deleteMember,
  listMemberRows,
  listNames,
  lockDefault,
  lockMembers,
  lockMembersWith,
  makeOwner,
  mayIn,
  memberCount,
  roleIn,
  updateRole,
} from './queries.ts'
