import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import {
  deleteInvitationsTo,
  deleteMember,
  listMemberRows,
  lockMembers,
  replaceDefaultOf,
  updateRole,
} from '#server/members/index.ts'
import { endJobsIn } from '#server/queue/queue.ts'
import { DISABLED_MEMBER, HAND_OVER_FIRST, type Member, NEEDS_OWNER } from '#shared/contract/members.ts'
import { RIGHTS_OF, type ProjectRole } from '#shared/contract/roles.ts'
import { transferTo } from './transfer.ts'
import { projectOrThrow } from './service.ts'

/** Returns the members of a project. Only owners see their e-mail addresses. */
export const listMembers = (actor: Actor, projectId: string): Promise<Member[]> =>
  asActor(actor, async (tx) => {
    const { may } = await projectOrThrow(tx, projectId, 'read')
    const rows = await withOwnerRole(tx, () => listMemberRows(tx, projectId))
    return rows.map((row) => (may.includes('manage') ? row : { ...row, email: null }))
  })

/**
 * Changes the role of a member and deletes invitations to the member. Ends the member's jobs in the project if the new role may
 * not edit. If the member is the project's `owner_id` and the new role is not owner, first transfers the project to another
 * owner. Throws 'conflict' if there is no other owner, and 'changed' if another owner has changed the role after `version`.
 */
export async function changeRole(
  actor: Actor,
  projectId: string,
  userId: string,
  { role, version }: { role: ProjectRole; version?: number | undefined },
): Promise<Member> {
  const changed = await asActor(actor, async (tx) => {
    await lockMembers(tx, projectId)
    const { owner_id } = await projectOrThrow(tx, projectId, 'manage')
    const before = (await withOwnerRole(tx, () => listMemberRows(tx, projectId))).find((row) => row.user_id === userId)
    if (before)
      refuseStaleChange({ ...before, field_versions: { role: before.version } }, { role }, version, () => before)
    if (userId === owner_id && role !== 'owner') await transferToOwner(tx, projectId, userId, NEEDS_OWNER)
    if (!(await updateRole(tx, projectId, userId, role))) throw notFound('Member')
    await withOwnerRole(tx, () => deleteInvitationsTo(tx, projectId, userId))
    await publish(tx, { projectId }, { event: 'project', data: { id: projectId, change: 'updated' } })
    const rows = await withOwnerRole(tx, () => listMemberRows(tx, projectId))
    return rows.find((row) => row.user_id === userId)!
  })
  if (!RIGHTS_OF[role].includes('edit')) await endJobsIn(projectId, userId)
  return changed
}

/**
 * Removes a member, or lets the caller leave the project. Ends the member's jobs in the project and deletes invitations to the
 * member. If the member is the project's `owner_id`, transfers the project to another owner; throws 'conflict' if there is no
 * other owner.
 */
export async function removeMember(actor: Actor, projectId: string, userId: string): Promise<void> {
  const right = userId === actor.userId ? 'read' : 'manage'
  await asActor(actor, async (tx) => {
    await lockMembers(tx, projectId)
    const { owner_id } = await projectOrThrow(tx, projectId, right)
    if (userId === owner_id)
      await transferToOwner(tx, projectId, userId, userId === actor.userId ? HAND_OVER_FIRST : NEEDS_OWNER)
    await replaceDefaultOf(tx, userId, projectId)
    const isRemoved = await withOwnerRole(tx, () => deleteMember(tx, projectId, userId))
    if (!isRemoved) throw notFound('Member')
    await withOwnerRole(tx, () => deleteInvitationsTo(tx, projectId, userId))
    const event = { event: 'project', data: { id: projectId, change: 'deleted' } } as const
    await publish(tx, { userId }, event)
    await publish(tx, { projectId }, { event: 'project', data: { id: projectId, change: 'updated' } })
  })
  await endJobsIn(projectId, userId)
}

/**
 * Makes a member an owner, and makes this member the project's `owner_id`. Throws 'refused' for a member whose account is
 * disabled.
 */
export const transferProject = (actor: Actor, projectId: string, userId: string): Promise<void> =>
  asActor(actor, async (tx) => {
    await lockMembers(tx, projectId)
    await projectOrThrow(tx, projectId, 'manage')
    await withOwnerRole(tx, async () => {
      const hasUser = async (options: { enabledOnly?: boolean }) =>
        (await listMemberRows(tx, projectId, options)).some(({ user_id }) => user_id === userId)
      if (!(await hasUser({ enabledOnly: true })))
        throw (await hasUser({})) ? new AppError('refused', DISABLED_MEMBER) : notFound('Member')
      await transferTo(tx, projectId, userId)
    })
  })

/**
 * Makes the owner with the longest membership the project's `owner_id` instead of the user. Throws 'conflict' with `message` if
 * the project has no other owner with an enabled account.
 */
async function transferToOwner(tx: Tx, projectId: string, userId: string, message: string): Promise<void> {
  const members = await withOwnerRole(tx, () => listMemberRows(tx, projectId, { enabledOnly: true }))
  const successor = members.find(({ user_id, role }) => role === 'owner' && user_id !== userId)
  if (!successor) throw new AppError('conflict', message)
  await withOwnerRole(tx, () => transferTo(tx, projectId, successor.user_id))
}
