export { admitInvited, endFailedClaim } from './open.ts'
export { deleteInvitationsOf } from './queries.ts'
