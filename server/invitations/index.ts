export { isInvited } from './open.ts'
export { deleteInvitationsOf } from './queries.ts'
