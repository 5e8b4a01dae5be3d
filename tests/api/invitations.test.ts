import { beforeAll, describe, expect, it } from 'vitest'
import type { Invitation, OpenedInvitation, SentInvitation } from '#shared/contract/invitations.ts'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { addressOf, type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let ada: Client
let ben: Client
let eve: Client
beforeAll(async () => {
  ada = await signUp(server.url, { email: addressOf('ada') })
  ben = await signUp(server.url, { email: addressOf('ben') })
  eve = await signUp(server.url, { email: addressOf('eve') })
})

const newProject = async (name = `Sleep ${crypto.randomUUID()}`) =>
  (await ada.json<{ data: Project }>(api.projects(), { body: { name, research_question: 'Do naps help?' } })).data
const invite = async (project: string, body: object, who = ada) =>
  (await who.json<{ data: SentInvitation[] }>(api.projectInvitations(project), { body })).data
const listed = async (project: string) => (await ada.json<{ data: Invitation[] }>(api.projectInvitations(project))).data
const tokenIn = (link: string) => new URL(link).pathname.replace('/invitations/', '')
const roleIn = async (project: string, who: Client) => {
  const text = 'select role from project_members where project_id = $1 and user_id = $2'
  return (await inDatabase(server, text, [project, who.userId]))[0]?.['role']
}
const GONE = [410, 'This invitation is no longer valid. Ask for a new one.']

/** Sends a call and returns the status and the error message of its response. */
async function answer(who: Client, method: string, path: string, body?: object) {
  const response = await who.fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const { error } = (text ? JSON.parse(text) : {}) as { error?: { message: string } }
  return error ? [response.status, error.message] : [response.status]
}
const accept = (who: Client, link: string) => answer(who, 'POST', api.invitationAccept(), { token: tokenIn(link) })

describe('an invitation without e-mail', () => {
  it('An invitation makes its reader a member with its role, once (SHR-21, SHR-22)', async () => {
    const { id, name } = await newProject()
    const [sent] = await invite(id, {
      emails: [` ${ben.email.toUpperCase()}`],
      role: 'reviewer',
      message: 'We screen titles.',
    })
    expect(sent).toMatchObject({
      project_id: id,
      email: ben.email,
      role: 'reviewer',
      message: 'We screen titles.',
      invited_by: { user_id: ada.userId, name: 'ada' },
      is_expired: false,
      is_mailed: false,
      link: expect.stringMatching(`^${server.url}/invitations/[\\w-]{32}$`) as string,
    })
    expect(JSON.stringify(await listed(id))).not.toContain(tokenIn(sent!.link))
    expect(JSON.stringify(await inDatabase(server, 'select * from invitations'))).not.toContain(tokenIn(sent!.link))
    const token = tokenIn(sent!.link)
    expect(await ben.json<{ data: OpenedInvitation }>(api.invitationRead(), { body: { token } })).toEqual({
      data: {
        project_id: id,
        project_name: name,
        research_question: 'Do naps help?',
        document_count: 0,
        member_count: 1,
        invited_by_name: 'ada',
        role: 'reviewer',
        message: 'We screen titles.',
      },
    })
    const { data } = await ben.json<{ data: Project }>(api.invitationAccept(), { body: { token } })
    expect(data).toMatchObject({ id, name, is_default: true })
    expect(await roleIn(id, ben)).toBe('reviewer')
    expect(await accept(ben, sent!.link)).toEqual(GONE)
    expect(await listed(id)).toEqual([])
    const seen = 'select last_seen_at from project_members where project_id = $1 and user_id = $2'
    expect(await inDatabase(server, seen, [id, ben.userId])).toEqual([{ last_seen_at: null }])
    await ben.json(api.project(id))
    expect(await inDatabase(server, seen, [id, ben.userId])).toEqual([{ last_seen_at: expect.any(Date) as Date }])
  })

  it('An invitation with an address opens for its account only; one for anyone with the link opens for all (SHR-21, SHR-22)', async () => {
    const { id } = await newProject()
    const [bound] = await invite(id, { emails: [ben.email], role: 'editor' })
    const other = [403, 'This invitation is for another e-mail address.']
    for (const path of [api.invitationRead(), api.invitationAccept(), api.invitationDecline()])
      expect(await answer(eve, 'POST', path, { token: tokenIn(bound!.link) })).toEqual(other)
    expect(await answer(ben, 'POST', api.invitationDecline(), { token: tokenIn(bound!.link) })).toEqual([204])
    expect(await accept(ben, bound!.link)).toEqual(GONE)
    const [open] = await invite(id, { anyone_with_link: true, role: 'viewer' })
    expect([open!.email, open!.is_mailed]).toEqual([null, false])
    expect(await answer(eve, 'POST', api.invitationDecline(), { token: tokenIn(open!.link) })).toEqual([204])
    expect(await accept(eve, open!.link)).toEqual([200])
    expect([await roleIn(id, eve), await accept(ben, open!.link)]).toEqual(['viewer', GONE])
  })

  it('A renewed, repeated, revoked or expired invitation ends its earlier link (SHR-21, SHR-22)', async () => {
    const { id } = await newProject()
    const [first] = await invite(id, { emails: [ben.email], role: 'viewer' })
    const [second] = await invite(id, { emails: [ben.email], role: 'editor' })
    expect((await listed(id)).map((one) => [one.id, one.role])).toEqual([[first!.id, 'editor']])
    expect(await accept(ben, first!.link)).toEqual(GONE)
    const past = "update invitations set expires_at = now() - interval '1 minute' where id = $1"
    await inDatabase(server, past, [first!.id])
    expect((await listed(id))[0]).toMatchObject({ is_expired: true })
    expect(await accept(ben, second!.link)).toEqual(GONE)
    const renew = api.projectInvitationRenew(id, first!.id)
    const { data: third } = await ada.json<{ data: SentInvitation }>(renew, { method: 'POST' })
    expect(third).toMatchObject({ role: 'editor', is_expired: false })
    expect(await answer(ada, 'DELETE', api.projectInvitation(id, first!.id))).toEqual([200])
    expect(await accept(ben, third.link)).toEqual(GONE)
    expect(await answer(ada, 'DELETE', api.projectInvitation(id, first!.id))).toEqual([404, 'Invitation not found'])
    expect(await answer(ada, 'POST', renew)).toEqual([404, 'Invitation not found'])
    const [fourth] = await invite(id, { emails: [ben.email], role: 'editor' })
    await ada.json(api.project(id), { method: 'DELETE' })
    expect(await accept(ben, fourth!.link)).toEqual(GONE)
  })

  it('A member keeps the higher role, and cannot be invited by address', async () => {
    const { id } = await newProject()
    for (const [role, result] of [
      ['editor', 'editor'],
      ['viewer', 'editor'],
      ['resolver', 'resolver'],
    ]) {
      const [sent] = await invite(id, { anyone_with_link: true, role })
      expect([await accept(ben, sent!.link), await roleIn(id, ben)]).toEqual([[200], result])
    }
    const again = { emails: ['new@example.org', ben.email], role: 'viewer' }
    expect(await answer(ada, 'POST', api.projectInvitations(id), again)).toEqual([
      409,
      'This person is already in the project.',
    ])
    expect(await listed(id)).toEqual([])
    const [own] = await invite(id, { anyone_with_link: true, role: 'viewer' })
    expect([await accept(ada, own!.link), await roleIn(id, ada)]).toEqual([[200], 'owner'])
    // Only owners invite and see invitations.
    const role = [403, 'You may read this project but not change it.']
    expect(await answer(ben, 'POST', api.projectInvitations(id), again)).toEqual(role)
    expect(await answer(ben, 'GET', api.projectInvitations(id))).toEqual(role)
    expect(await answer(eve, 'GET', api.projectInvitations(id))).toEqual([404, 'Project not found'])
  })

  it('An invitation ends when its sender is no longer an owner, and another owner renews it', async () => {
    for (const end of [{ method: 'DELETE' }, { method: 'PATCH', body: { role: 'viewer' } }]) {
      const { id } = await newProject()
      const [owner] = await invite(id, { emails: [ben.email], role: 'owner' })
      await accept(ben, owner!.link)
      const [own] = await invite(id, { anyone_with_link: true, role: 'resolver' }, ben)
      await ada.json(api.projectMember(id, ben.userId), end)
      expect(await accept(ben, own!.link)).toEqual(GONE)
      expect(await listed(id)).toMatchObject([{ id: own!.id, is_expired: true }])
      const { data } = await ada.json<{ data: SentInvitation }>(api.projectInvitationRenew(id, own!.id), {
        method: 'POST',
      })
      expect(data).toMatchObject({ is_expired: false, invited_by: { user_id: ada.userId } })
      expect(await accept(eve, data.link)).toEqual([200])
    }
  })

  it('The removal of a member, or a new role, ends earlier invitations to the member', async () => {
    for (const end of [{ method: 'DELETE' }, { method: 'PATCH', body: { role: 'viewer' } }]) {
      const { id } = await newProject()
      const [bound] = await invite(id, { emails: [ben.email], role: 'editor' })
      const [open] = await invite(id, { anyone_with_link: true, role: 'reviewer' })
      await accept(ben, open!.link)
      await ada.json(api.projectMember(id, ben.userId), end)
      expect(await listed(id)).toEqual([])
      expect(await accept(ben, bound!.link)).toEqual(GONE)
    }
  })

  it('Two links that a user accepts at once give the higher role', async () => {
    const { id } = await newProject()
    const links: string[] = []
    for (const role of ['viewer', 'editor', 'reviewer'])
      links.push((await invite(id, { anyone_with_link: true, role }))[0]!.link)
    expect(await Promise.all(links.map((link) => accept(ben, link)))).toEqual([[200], [200], [200]])
    expect(await roleIn(id, ben)).toBe('editor')
  })

  it('A project has at most 50 members and pending invitations (SHR-21)', async () => {
    const { id } = await newProject()
    const addresses = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => `a${from + at}@example.org`)
    await invite(id, { emails: addresses(0, 25), role: 'viewer' })
    await invite(id, { emails: addresses(20, 49), role: 'viewer' })
    expect(await listed(id)).toHaveLength(49)
    const full = [422, 'A project can have 50 people.']
    expect(await answer(ada, 'POST', api.projectInvitations(id), { anyone_with_link: true, role: 'viewer' })).toEqual(
      full,
    )
    await inDatabase(server, 'update invitations set expires_at = now() where project_id = $1 and email = $2', [
      id,
      'a0@example.org',
    ])
    await invite(id, { anyone_with_link: true, role: 'viewer' })
    const expired = (await listed(id)).find(({ email }) => email === 'a0@example.org')!
    expect(await answer(ada, 'POST', api.projectInvitationRenew(id, expired.id))).toEqual(full)
  })

  it.each([
    [{ emails: [], role: 'viewer' }, 'Enter at least one e-mail address.'],
    [{ emails: ['x'], role: 'viewer' }, 'Enter a valid e-mail address'],
    [{ emails: ['x@example.org'], anyone_with_link: true, role: 'viewer' }, 'has no e-mail address'],
    [{ anyone_with_link: true, role: 'owner' }, 'Invite an owner by e-mail address.'],
    [{ emails: ['x@example.org'], role: 'viewer', message: 'x'.repeat(501) }, 'at most 500 characters'],
    [{ emails: Array.from({ length: 31 }, (_, at) => `a${at}@example.org`), role: 'viewer' }, 'at most 30'],
  ])('An invitation is refused when it is not valid: %j', async (body, message) => {
    const { id } = await newProject()
    expect(await answer(ada, 'POST', api.projectInvitations(id), body)).toEqual([422, expect.stringContaining(message)])
  })

  it('The deletion of an account removes invitations to its address, and ends those that it sent', async () => {
    const zoe = await signUp(server.url, { email: addressOf('zoe') })
    const { id } = await newProject()
    const [owner] = await invite(id, { emails: [zoe.email], role: 'owner' })
    await accept(zoe, owner!.link)
    const { id: second } = await newProject()
    await invite(second, { emails: [zoe.email], role: 'viewer' })
    const [sent] = await invite(id, { emails: [eve.email], role: 'viewer' }, zoe)
    await zoe.json(api.account(), { method: 'DELETE', body: { password: zoe.password } })
    expect(await listed(second)).toEqual([])
    expect(await listed(id)).toMatchObject([{ email: eve.email, invited_by: null, is_expired: true }])
    expect(await accept(eve, sent!.link)).toEqual(GONE)
  })

  it('An invitation ends while the account of its sender is disabled', async () => {
    const { id } = await newProject()
    const [owner] = await invite(id, { emails: [ben.email], role: 'owner' })
    await accept(ben, owner!.link)
    const [sent] = await invite(id, { emails: [eve.email], role: 'viewer' }, ben)
    const disable = 'update profiles set disabled_at = now() where id = $1'
    await inDatabase(server, disable, [ben.userId])
    expect(await listed(id)).toMatchObject([{ id: sent!.id, is_expired: true }])
    expect(await accept(eve, sent!.link)).toEqual(GONE)
    await inDatabase(server, 'update profiles set disabled_at = null where id = $1', [ben.userId])
    expect(await accept(eve, sent!.link)).toEqual([200])
  })
})
