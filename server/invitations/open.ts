import type { Actor } from '#server/db/actor.ts'
import { asActor, asSystem, type Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import { AppError } from '#server/lib/errors.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { addMember, lockMembers, updateRole } from '#server/members/index.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import { INVITATION_FOR_ANOTHER, INVITATION_GONE, type OpenedInvitation } from '#shared/contract/invitations.ts'
import type { Project } from '#shared/contract/projects.ts'
import { PROJECT_ROLES } from '#shared/contract/roles.ts'
import { deleteRow, describeProject, findProjectOf, findReader, findRole, lockOpenInvitation } from './queries.ts'
import { claimLink, endClaimWithoutAccount, hasInvitation, isAddressTaken, lockUnclaimedLink } from './claim-queries.ts'
import { hashToken } from './tokens.ts'

/**
 * Returns the invitation with this token. Throws 'gone' for an invalid, expired or used link, and 'forbidden' if the invitation
 * is for another address than the caller's or the caller's address is not confirmed.
 */
export const readInvitation = (actor: Actor, token: string): Promise<OpenedInvitation> =>
  asSystem(async (tx) => {
    const { project_id, role, message, invited_by } = await openInvitation(tx, actor, token)
    const inviter = invited_by === null ? undefined : await findReader(tx, invited_by)
    const project = await describeProject(tx, project_id)
    return { project_id, ...project, invited_by_name: inviter?.name ?? null, role, message }
  })

/**
 * Accepts an invitation: makes the caller a member of the project, deletes the invitation, and returns the project. The role of
 * an existing member changes only to a higher role. Throws 'gone' for an invalid, expired or used link, and 'forbidden' if the
 * invitation is for another address than the caller's or the caller's address is not confirmed.
 */
export async function acceptInvitation(actor: Actor, token: string): Promise<Project> {
  const projectId = await asSystem(async (tx) => {
    const { id, project_id, role, invited_by } = await openInvitation(tx, actor, token)
    const before = await findRole(tx, project_id, actor.userId)
    if (before === undefined) await addMember(tx, { project_id, user_id: actor.userId, role, added_by: invited_by })
    else if (PROJECT_ROLES.indexOf(role) > PROJECT_ROLES.indexOf(before))
      await updateRole(tx, project_id, actor.userId, role)
    await deleteRow(tx, project_id, id)
    await publish(tx, { projectId: project_id }, { event: 'project', data: { id: project_id, change: 'updated' } })
    return project_id
  })
  return asActor(actor, (tx) => projectOrThrow(tx, projectId, 'read'))
}

/**
 * Declines an invitation. Deletes it if it is addressed to the caller, or if it is a link with which the caller signed up.
 * Keeps any other link without an error, because other people may use it. Throws 'gone' for an invalid, expired or used link,
 * and 'forbidden' if the invitation is for another address than the caller's or the caller's address is not confirmed.
 */
export const declineInvitation = (actor: Actor, token: string): Promise<void> =>
  asSystem(async (tx) => {
    const { id, project_id, email, claimed_email } = await openInvitation(tx, actor, token)
    if (email === null && claimed_email === null) return
    await deleteRow(tx, project_id, id)
    await publish(tx, { projectId: project_id }, { event: 'project', data: { id: project_id, change: 'updated' } })
  })

/**
 * Returns whether an address may sign up by invitation. Without `token`, an invitation to this address must exist. With
 * `token`, the invitation with this token must be for this address, or be a link for any person. A link for any person is then
 * claimed: reserved for the address, so that only one account can be created with it. `endFailedClaim` ends the reservation. If
 * the server sends no e-mail and the address already has an account, the link is not claimed, because the sign-up will fail.
 */
export const admitInvited = (email: string, token?: string): Promise<boolean> =>
  asSystem(async (tx) => {
    const address = email.trim().toLowerCase()
    if (token === undefined) return hasInvitation(tx, address)
    const tokenHash = hashToken(token)
    if (await hasInvitation(tx, address, tokenHash)) return true
    const link = await lockUnclaimedLink(tx, address, tokenHash)
    // Without e-mail, the sign-up of an existing account fails. With e-mail, visitors must not notice the difference.
    if (link !== undefined && (mailEnabled() || !(await isAddressTaken(tx, address))))
      await claimLink(tx, link, address)
    return link !== undefined
  })

/**
 * Ends the claim (the reservation for an address) of an invitation link after a sign-up that has created no account, so that
 * another address can use the link.
 */
export const endFailedClaim = (email: string, token: string): Promise<void> =>
  asSystem((tx) => endClaimWithoutAccount(tx, email.trim().toLowerCase(), hashToken(token)))

async function openInvitation(tx: Tx, actor: Actor, token: string) {
  const projectId = await findProjectOf(tx, hashToken(token))
  if (projectId !== undefined) await lockMembers(tx, projectId)
  const found = await lockOpenInvitation(tx, hashToken(token))
  if (!found) throw new AppError('gone', INVITATION_GONE)
  if (found.email === null && found.claimed_email === null) return found
  const reader = await findReader(tx, actor.userId)
  if (found.email === null) {
    if (reader?.email !== found.claimed_email) throw new AppError('gone', INVITATION_GONE)
    return found
  }
  if (reader?.email !== found.email) throw new AppError('forbidden', INVITATION_FOR_ANOTHER)
  // Without e-mail, no address is confirmed, and the link is the only proof.
  if (mailEnabled() && !reader.isConfirmed) throw new AppError('forbidden', 'Confirm your e-mail address first.')
  return found
}
