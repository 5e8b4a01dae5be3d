import { api } from '#shared/contract/paths.ts'
import type { Client } from './client.ts'
import type { Walk } from './random-walk.ts'
import { ROLES } from './sharing-oracle.ts'
import type { Send } from './walk-work.ts'

/**
 * Performs a random action on the members of a project: invites a user, changes a role, removes a member or transfers the
 * project. If it removes a member, stores the time in `left` by '<account id> <project id>'.
 */
export async function member(walk: Walk, send: Send, left: Map<string, number>): Promise<void> {
  const { oracle, people, choose } = walk
  const [other, project] = [choose(people), choose([...oracle.projects.keys()])]
  // Most calls of a random user are refused.
  const owners = people.filter(({ userId }) => oracle.right(userId, project, 'manage'))
  const who = choose([choose(people), ...owners])
  const kind = choose(['invite', 'invite', 'role', 'role', 'remove', 'transfer'] as const)
  if (kind === 'invite') return invite(walk, send, { who, other, project })
  if (kind === 'transfer') {
    const expected = oracle.transfer(who.userId, project, other.userId)
    await send(who, 'POST', api.projectTransfer(project), { user_id: other.userId }, expected)
    return
  }
  const role = kind === 'role' ? choose(ROLES) : null
  const expected = oracle.setRole(who.userId, project, other.userId, role)
  const path = api.projectMember(project, other.userId)
  await send(who, role === null ? 'DELETE' : 'PATCH', path, role === null ? null : { role }, expected)
  if (role === null && expected === 200) left.set(`${other.userId} ${project}`, Date.now())
}

/**
 * Lets `who` invite `other` to a project. Then `other` accepts the invitation, or `who` revokes it first. Sometimes another
 * user tries the link before, which the server must refuse.
 */
async function invite(
  { oracle, people, choose }: Walk,
  send: Send,
  { who, other, project }: { who: Client; other: Client; project: string },
): Promise<void> {
  const { roles } = oracle.projects.get(project)!
  const role = choose(ROLES)
  const allowed = oracle.status(oracle.right(who.userId, project, 'manage'))
  const expected = allowed === 200 && roles.has(other.userId) ? 409 : allowed
  const body = { emails: [other.email], role }
  const text = await send(who, 'POST', api.projectInvitations(project), body, expected)
  if (expected !== 200) return
  const [sent] = (JSON.parse(text) as { data: { id: string; link: string }[] }).data
  const accept = (reader: Client, status: number) =>
    send(reader, 'POST', api.invitationAccept(), { token: sent!.link.split('/').at(-1) }, status)
  const stranger = choose(people)
  if (stranger !== other) await accept(stranger, 403)
  if (choose([true, false, false, false])) {
    await send(who, 'DELETE', api.projectInvitation(project, sent!.id), null, 200)
    await accept(other, 410)
  } else {
    await accept(other, 200)
    roles.set(other.userId, role)
  }
}
