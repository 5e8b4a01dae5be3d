import { hashPassword } from 'better-auth/crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SentInvitation } from '#shared/contract/invitations.ts'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { OIDC_CLIENT, signInAtProvider, startOidcServer } from '#tests/helpers/oidc-server.ts'
import { type Client, signIn, startServer, type TestServer } from '#tests/helpers/server.ts'
import { linkIn, startSmtpServer } from '#tests/helpers/smtp-server.ts'

/** This file tests an installation with e-mail and an OpenID Connect provider, where users sign up by invitation. */

const PASSWORD = 'correct horse battery'
const people = {
  guest: { email: 'guest@elsewhere.example', email_verified: true },
  claimed: { email: 'claimed@elsewhere.example', email_verified: false },
  linked: { email: 'linked@elsewhere.example', email_verified: true },
  late: { email: 'late@elsewhere.example', email_verified: true },
}
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let campus: Awaited<ReturnType<typeof startOidcServer>>
let server: TestServer
let root: Client
beforeAll(async () => {
  smtp = await startSmtpServer()
  campus = await startOidcServer(people)
  server = await startServer({
    env: {
      SIGN_UP: 'invited',
      SIGN_UP_DOMAINS: 'example.org',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Room <room@example.org>',
      OIDC_ISSUER: campus.issuer,
      ...OIDC_CLIENT,
    },
  })
  campus.serve(`${server.url}/auth/v1/callback/oidc`)
  // The operator creates the first account in this way.
  await inDatabase(
    server,
    `with made as (insert into "user" (id, name, email, email_verified) values ('root', 'Ada L.', 'root@example.org', true))
     insert into account (id, account_id, provider_id, user_id, password) values ('root', 'root', 'credential', 'root', $1)`,
    [await hashPassword(PASSWORD)],
  )
  root = await signIn(server.url, { email: 'root@example.org' })
})
afterAll(async () => {
  await server.stop()
  await campus.stop()
  await smtp.stop()
})

const post = (path: string, body: object) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const invite = async (project: string, body: object) =>
  (await root.json<{ data: SentInvitation[] }>(api.projectInvitations(project), { body })).data
const accept = async (who: Client, link: string) =>
  (
    await who.fetch(api.invitationAccept(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: tokenIn(link) }),
    })
  ).status
const tokenIn = (link: string) => new URL(link).pathname.replace('/invitations/', '')
const project = async (name: string) => (await root.json<{ data: Project }>(api.projects(), { body: { name } })).data.id

describe('SIGN_UP=invited', () => {
  it('An invited user signs up with the link of the e-mail, confirms the address, and accepts (SHR-21, SHR-22)', async () => {
    const id = await project('Sleep')
    const [sent] = await invite(id, { emails: ['ben@elsewhere.example'], role: 'editor', message: 'Welcome!' })
    expect(sent).toMatchObject({ is_mailed: true })
    const mail = await smtp.mailTo('ben@elsewhere.example')
    expect(mail.message).toMatch(/Ada L\. invites you to .+Sleep.+ as an editor\. The message is: Welcome!/)
    expect(linkIn(mail)).toBe(sent!.link)
    const invitation = tokenIn(sent!.link)
    const needed = 'Sign up with the link of an invitation, and with the address that it was sent to.'
    for (const body of [
      { email: 'ben@elsewhere.example' },
      { email: 'eve@example.org', invitation },
      { email: 'eve@example.org', invitation: 'x'.repeat(32) },
    ]) {
      const refused = await post(api.signUp(), { ...body, password: PASSWORD })
      expect([refused.status, await refused.json()]).toMatchObject([403, { error: { message: needed } }])
    }
    const account = { email: 'ben@elsewhere.example', password: PASSWORD, invitation }
    expect((await post(api.signUp(), account)).status).toBe(200)
    for (const count of [2, 3]) {
      const confirmation = new URL(linkIn(await smtp.mailTo('ben@elsewhere.example', count)))
      expect(confirmation.searchParams.get('back')).toBe(new URL(sent!.link).pathname)
      // The invitation does not confirm the address: the sign-in sends another confirmation.
      if (count === 2) expect((await post(api.signIn(), account)).status).toBe(403)
      else {
        const token = confirmation.searchParams.get('token')
        expect((await post(api.verifyEmail(), { token, password: PASSWORD })).status).toBe(200)
      }
    }
    const member = await signIn(server.url, account)
    expect(await accept(member, sent!.link)).toBe(200)
  })

  it('An e-mail with an invitation contains no address from its sender', async () => {
    const id = await project('See evil.example')
    await invite(id, { emails: ['zoe@elsewhere.example'], role: 'viewer', message: 'https://evil.example' })
    const mail = await smtp.mailTo('zoe@elsewhere.example')
    expect(mail.message).toContain('Ada L. invites you to a project as a viewer.')
    expect(mail.message).not.toContain('evil')
  })

  it.each([
    ['bank24.com/login', false],
    ['Naps at web3.io', false],
    ['203.0.113.7/x', false],
    ['e\u0301.example', false],
    ['bank24\u3002com', false],
    ['Phase 2.5 of trial 3', true],
    ['1.Read 2.Tag', true],
    ['Section 1.2.3.4', true],
    ['请筛选标题。谢谢大家。', true],
  ])('An e-mail with an invitation to the project %j contains its name: %s', async (name, isShown) => {
    const id = await project(name)
    const email = `${crypto.randomUUID()}@elsewhere.example`
    await invite(id, { emails: [email], role: 'viewer' })
    const { message } = await smtp.mailTo(email)
    expect(message.includes('Ada L. invites you to a project as a viewer.')).toBe(!isShown)
  })

  it('A provider creates an account only for a confirmed address with a pending invitation', async () => {
    const as = async (login: string) => (await signInAtProvider(server.url, login)).end
    expect((await as('guest')).search).toBe('?error=sign_up_invited')
    const id = await project('Naps')
    await invite(id, { emails: [people.guest.email, people.claimed.email], role: 'viewer' })
    expect((await as('claimed')).search).toBe('?error=address_unconfirmed')
    expect((await as('guest')).search).not.toContain('error')
  })

  it('A link for anyone admits one account of several that sign up at once, and belongs to it (SHR-22)', async () => {
    const id = await project('Dreams')
    const [sent] = await invite(id, { anyone_with_link: true, role: 'viewer' })
    const invitation = tokenIn(sent!.link)
    const join = (email: string) => post(api.signUp(), { email, password: PASSWORD, invitation })
    // A sign-up that fails frees the link.
    expect(
      (await post(api.signUp(), { email: 'long@elsewhere.example', password: 'x'.repeat(300), invitation })).ok,
    ).toBe(false)
    const addresses = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@elsewhere.example`)
    const statuses = await Promise.all(addresses.map(async (email) => (await join(email)).status))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403, 403, 403])
    const joined = addresses[statuses.indexOf(200)]!
    expect(await inDatabase(server, 'select email from "user" where email = any ($1)', [addresses])).toEqual([
      { email: joined },
    ])
    // Another account cannot accept it, and its account can.
    expect(await accept(root, sent!.link)).toBe(410)
    await inDatabase(server, 'update "user" set email_verified = true where email = $1', [joined])
    const member = await signIn(server.url, { email: joined, password: PASSWORD })
    expect(await accept(member, sent!.link)).toBe(200)
  })

  it('A link for anyone lets one account of a provider sign up, and a refused sign-in also returns to the invitation', async () => {
    const id = await project('Insomnia')
    const [sent] = await invite(id, { anyone_with_link: true, role: 'viewer' })
    const page = new URL(sent!.link).pathname
    const { end, cookie } = await signInAtProvider(server.url, 'linked', page)
    expect([end.pathname, end.searchParams.get('back')]).toEqual(['/auth/second-step', page])
    const refused = (await signInAtProvider(server.url, 'late', page)).end

    expect([refused.pathname, Object.fromEntries(refused.searchParams)]).toEqual([
      '/auth',
      { back: page, error: 'sign_up_invited' },
    ])
    const accepted = await fetch(server.url + api.invitationAccept(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ token: tokenIn(sent!.link) }),
    })
    expect(accepted.status).toBe(200)
  })

  it('After a new password is set by the link, the invitation opens', async () => {
    const [sent] = await invite(await project('Nights'), { anyone_with_link: true, role: 'viewer' })
    const body = { email: 'root@example.org', invitation: tokenIn(sent!.link) }
    expect((await post(api.requestPasswordReset(), body)).status).toBe(200)
    const link = new URL(linkIn(await smtp.mailTo('root@example.org')))
    expect([link.pathname, link.searchParams.get('back')]).toEqual(['/auth/reset', new URL(sent!.link).pathname])
  })
})
