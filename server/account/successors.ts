import type { Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import { AppError } from '#server/lib/errors.ts'
import { deleteMember, listMemberRows, replaceDefaultOf } from '#server/members/index.ts'
import { notify } from '#server/notices/index.ts'
import { transferTo } from '#server/projects/index.ts'
import { deleteJobs } from '#server/queue/queue.ts'
import { type AccountDeletion, type OwnedProject, SUCCESSORS_NEEDED } from '#shared/contract/accounts.ts'
import { RIGHTS_OF } from '#shared/contract/roles.ts'
import { findOwnedProjects, listDocumentIds } from './queries.ts'

/**
 * Lists the projects that have other members and whose only owner is the user. Each has its other members, highest role first.
 * Members whose accounts are disabled do not count.
 */
export async function listOwnedProjects(tx: Tx, userId: string): Promise<OwnedProject[]> {
  const owned: OwnedProject[] = []
  for (const { id, name } of await findOwnedProjects(tx, userId)) {
    const members = (await listMemberRows(tx, id, { enabledOnly: true })).filter(({ user_id }) => user_id !== userId)
    // The sort is stable: the longest membership stays first.
    members.sort((a, b) => RIGHTS_OF[b.role].length - RIGHTS_OF[a.role].length)
    owned.push({ id, name, members: members.map(({ user_id, name, role }) => ({ user_id, name, role })) })
  }
  return owned
}

/**
 * Transfers each project that has other members, and whose only owner is the user, to another member. `successors` maps the id
 * of each such project to the user id of a member, or to null. For null, ends the memberships of all other members of the
 * project, so that it is deleted with the account. Throws 'conflict' if `successors` has no entry for a project, or if a
 * successor is not a member of the project.
 */
export async function applySuccessors(tx: Tx, userId: string, successors: AccountDeletion['successors'] = {}) {
  for (const { id, members } of await listOwnedProjects(tx, userId)) {
    const successor = successors[id]
    if (successor === null) await endMemberships(tx, userId, id)
    else if (members.some(({ user_id }) => user_id === successor)) await succeed(tx, userId, id, successor!)
    else throw new AppError('conflict', SUCCESSORS_NEEDED)
  }
}

/**
 * Transfers a project of an account that is being deleted to the member `successorId`, and sends a notice to all other members.
 */
export async function succeed(tx: Tx, userId: string, projectId: string, successorId: string): Promise<void> {
  const project = await transferTo(tx, projectId, successorId)
  const members = (await listMemberRows(tx, projectId)).filter(({ user_id }) => user_id !== userId)
  const owner = members.find(({ user_id }) => user_id === successorId)!.name
  await notify(
    tx,
    members.map(({ user_id }) => user_id),
    { kind: 'owner_changed', data: { project_id: projectId, project, owner } },
  )
}

/** Ends the memberships of all members of a project except the user, so that the project is deleted with the user's account. */
export async function endMemberships(tx: Tx, userId: string, projectId: string): Promise<void> {
  const members = (await listMemberRows(tx, projectId)).filter(({ user_id }) => user_id !== userId)
  await deleteJobs(tx, { documentIds: await listDocumentIds(tx, projectId) })
  await publish(tx, { membersOf: projectId }, { event: 'project', data: { id: projectId, change: 'deleted' } })
  for (const { user_id } of members) {
    await replaceDefaultOf(tx, user_id, projectId)
    await deleteMember(tx, projectId, user_id)
  }
}
