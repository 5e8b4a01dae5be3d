import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { countRequest } from '#server/http/rate-limit.ts'
import { publicUrl } from '#server/lib/env.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { mailEnabled, sendOutbox } from '#server/mail/mail.ts'
import { lockMembers } from '#server/members/index.ts'
import { checkProject, projectOrThrow } from '#server/projects/index.ts'
import {
  ALREADY_MEMBER,
  type Invitation,
  MOST_MEMBERS,
  type NewInvitations,
  PROJECT_FULL,
  type SentInvitation,
} from '#shared/contract/invitations.ts'
import { pages } from '#shared/contract/paths.ts'
import { addInvitationMail } from './mail.ts'
import {
  countPlaces,
  deleteOldRows,
  deleteRow,
  findMemberAddresses,
  findReader,
  listRows,
  renewRow,
  saveInvitation,
} from './queries.ts'
import { hashToken, newToken } from './tokens.ts'

/** Returns the pending and expired invitations of a project, newest first. */
export const listInvitations = (actor: Actor, projectId: string): Promise<Invitation[]> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'manage')
    return withOwnerRole(tx, () => listRows(tx, projectId))
  })

/**
 * Creates an invitation for each of the e-mail addresses, or a link that any person may use. Renews a pending invitation to the
 * same address. Throws 'conflict' for the address of a member, 'refused' if the project is full, and 'too_many' above the
 * hourly limit.
 */
export async function invite(actor: Actor, projectId: string, sent: NewInvitations): Promise<SentInvitation[]> {
  await asActor(actor, (tx) => checkProject(tx, projectId, 'manage'))
  const emails = sent.anyone_with_link ? [null] : [...new Set(sent.emails)]
  await countRequest('invitation', { person: actor.userId }, emails.length)
  const mailed = await addressesToMail(emails)
  const saved = await asActor(actor, async (tx) => {
    await lockProject(tx, projectId)
    await withOwnerRole(tx, () => deleteOldRows(tx))
    await refuseMembers(tx, projectId, sent.emails)
    const tokens = new Map<string, string>()
    for (const email of emails) {
      const token = newToken()
      const { role, message } = sent
      const row = { project_id: projectId, email, role, message: message || null, invited_by: actor.userId }
      tokens.set(await saveInvitation(tx, { ...row, token_hash: hashToken(token) }), token)
    }
    await refuseFull(tx, projectId)
    return send(tx, actor, { projectId, tokens, mailed })
  })
  sendOutbox()
  return saved
}

/**
 * Creates a new link for an invitation, valid for seven days. The earlier link becomes invalid. Throws 'conflict' if the
 * address belongs to a member, 'refused' if the project is full, and 'too_many' above the hourly limit of invitations.
 */
export async function renewInvitation(actor: Actor, projectId: string, id: string): Promise<SentInvitation> {
  const [before] = await asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'manage')
    return withOwnerRole(tx, () => listRows(tx, projectId, [id]))
  })
  if (!before) throw notFound('Invitation')
  await countRequest('invitation', { person: actor.userId })
  const mailed = await addressesToMail([before.email])
  const [renewed] = await asActor(actor, async (tx) => {
    await lockProject(tx, projectId)
    if (before.email !== null) await refuseMembers(tx, projectId, [before.email])
    const token = newToken()
    if (!(await renewRow(tx, projectId, id, { token_hash: hashToken(token), invited_by: actor.userId })))
      throw notFound('Invitation')
    await refuseFull(tx, projectId)
    return send(tx, actor, { projectId, tokens: new Map([[id, token]]), mailed })
  })
  sendOutbox()
  return renewed!
}

/** Deletes an invitation. Its link becomes invalid. */
export const revokeInvitation = (actor: Actor, projectId: string, id: string): Promise<void> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'manage')
    if (!(await deleteRow(tx, projectId, id))) throw notFound('Invitation')
    await publish(tx, { projectId }, { event: 'project', data: { id: projectId, change: 'updated' } })
  })

async function lockProject(tx: Tx, projectId: string): Promise<void> {
  await lockMembers(tx, projectId)
  await checkProject(tx, projectId, 'manage')
}

async function refuseMembers(tx: Tx, projectId: string, emails: readonly string[]): Promise<void> {
  const [member] = await withOwnerRole(tx, () => findMemberAddresses(tx, projectId, emails))
  if (member !== undefined)
    throw new AppError('conflict', ALREADY_MEMBER, { fields: { emails: `${member} is already in the project.` } })
}

async function refuseFull(tx: Tx, projectId: string): Promise<void> {
  if ((await withOwnerRole(tx, () => countPlaces(tx, projectId))) > MOST_MEMBERS)
    throw new AppError('refused', PROJECT_FULL)
}

/**
 * Returns the addresses to which an e-mail is sent. Omits all without SMTP, and addresses that have reached the hourly limit of
 * e-mails.
 */
async function addressesToMail(emails: readonly (string | null)[]): Promise<Set<string>> {
  const mailed = new Set<string>()
  if (mailEnabled()) for (const email of emails) if (email !== null && (await isBelowLimit(email))) mailed.add(email)
  return mailed
}

async function isBelowLimit(email: string): Promise<boolean> {
  try {
    await countRequest('invitation-mail', { person: email })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many') return false
    throw error
  }
}

/**
 * Sends e-mails about stored invitations to the addresses in `mailed`, and returns the invitations with their links. `tokens`
 * has the token of each invitation by its id.
 */
async function send(
  tx: Tx,
  actor: Actor,
  { projectId, tokens, mailed }: { projectId: string; tokens: Map<string, string>; mailed: ReadonlySet<string> },
): Promise<SentInvitation[]> {
  const { name: project } = await projectOrThrow(tx, projectId, 'manage')
  const sent = await withOwnerRole(tx, async () => {
    const inviter = (await findReader(tx, actor.userId))?.name ?? ''
    const rows = await listRows(tx, projectId, [...tokens.keys()])
    const found: SentInvitation[] = []
    for (const row of rows) {
      const link = publicUrl() + pages.invitation(tokens.get(row.id)!)
      const { email, role, message } = row
      const is_mailed = email !== null && mailed.has(email)
      if (is_mailed) await addInvitationMail(tx, { email, link, project, inviter, role, message })
      found.push({ ...row, link, is_mailed })
    }
    return found
  })
  await publish(tx, { projectId }, { event: 'project', data: { id: projectId, change: 'updated' } })
  return sent
}
