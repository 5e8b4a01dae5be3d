import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StartedFactor } from '#shared/contract/accounts.ts'
import { api } from '#shared/contract/paths.ts'
import type { PasswordLink } from '#shared/contract/people.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type Client, signIn, startServer, type TestServer } from '#tests/helpers/server.ts'
import { linkIn, startSmtpServer } from '#tests/helpers/smtp-server.ts'
import { codeFor } from '#tests/helpers/totp.ts'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let server: TestServer
beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await startServer({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'room@example.org' } })
})
afterAll(async () => {
  await server.stop()
  await smtp.stop()
})

const PASSWORD = 'correct horse battery'
const post = (path: string, body: unknown) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const reset = async (token: string, newPassword: string) =>
  (await post(api.resetPassword(), { token, newPassword })).status

/** Signs up a user with a confirmed e-mail address. */
async function newcomer(email: string): Promise<Client> {
  await post(api.signUp(), { email, password: PASSWORD })
  await inDatabase(server, 'update "user" set email_verified = true where email = $1', [email])
  await smtp.mailTo(email)
  return signIn(server.url, { email, password: PASSWORD })
}

/** Requests `count` recovery links for an account, one after another. Returns the tokens in the links of the e-mails. */
async function recoveryLinks(email: string, count: number): Promise<string[]> {
  const tokens: string[] = []
  for (let n = 0; n < count; n++) {
    const before = smtp.received.filter(({ to }) => to === email).length
    expect((await post(api.requestPasswordReset(), { email })).status).toBe(200)
    tokens.push(new URL(linkIn(await smtp.mailTo(email, before + 1))).searchParams.get('token')!)
  }
  return tokens
}

it('A user gets an e-mail when an administrator creates a link for a new password, without the link', async () => {
  const [root, gil] = [await newcomer('root@example.org'), await newcomer('gil@example.org')]
  await inDatabase(server, 'update profiles set is_admin = true where id = $1', [root.userId])
  const path = api.adminPersonPasswordLink(gil.userId)
  const { data: link } = await root.json<{ data: PasswordLink }>(path, { method: 'POST' })
  const { message } = await smtp.mailTo(gil.email, 2)
  expect(message).toContain('an administrator created a link with which a new password can be set')
  expect(message).not.toContain(new URL(link.url).searchParams.get('token')!)
})

describe('a recovery link', () => {
  it('A recovery link replaces the links that were sent before it', async () => {
    await newcomer('ada@example.org')
    const [first, second, third] = await recoveryLinks('ada@example.org', 3)
    expect([await reset(first!, 'of the first link'), await reset(second!, 'of the second link')]).toEqual([400, 400])
    expect(await reset(third!, 'of the third link')).toBe(200)
    await signIn(server.url, { email: 'ada@example.org', password: 'of the third link' })
  })

  it('A recovery link works when several are requested at the same time', async () => {
    const { email, userId } = await newcomer('fay@example.org')
    for (let round = 1; round <= 5; round++) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => post(api.requestPasswordReset(), { email })))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      await smtp.mailTo(email, 1 + 8 * round)
      const open = await inDatabase(server, 'select id from verification where value = $1', [userId])
      expect([round, open.length]).toEqual([round, 1])
    }
    const sent = smtp.received.filter(({ to }) => to === email).slice(-8)
    const statuses = await Promise.all(
      sent.map((mail) => reset(new URL(linkIn(mail)).searchParams.get('token')!, 'of the newest link')),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  it('A recovery link ends when its user changes the password while signed in', async () => {
    const bea = await newcomer('bea@example.org')
    const [link] = await recoveryLinks(bea.email, 1)
    await bea.json(api.changePassword(), { body: { currentPassword: PASSWORD, newPassword: 'another battery' } })
    expect(await reset(link!, 'a password of another user')).toBe(400)
    await signIn(server.url, { email: bea.email, password: 'another battery' })
  })

  it('A recovery link ends with every other link of the account when one of them has set a new password', async () => {
    const carl = await newcomer('carl@example.org')
    const dora = await newcomer('dora@example.org')
    const [used] = await recoveryLinks(carl.email, 1)
    const [foreign] = await recoveryLinks(dora.email, 1)
    // A link of an earlier version of the server, which did not invalidate the other links.
    await inDatabase(
      server,
      `insert into verification (id, identifier, value, expires_at)
       select 'earlier', 'earlier', value, expires_at from verification where value = $1`,
      [carl.userId],
    )
    expect(await reset(used!, 'a new password')).toBe(200)
    expect(await inDatabase(server, 'select id from verification where value = $1', [carl.userId])).toEqual([])
    expect(await reset(foreign!, 'a new password')).toBe(200)
  })

  it('A recovery link sets a password only: the second factor is asked for as before', async () => {
    const eve = await newcomer('eve@example.org')
    const { data: factor } = await eve.json<{ data: StartedFactor }>(api.factors(), {
      body: { factor_type: 'totp' },
    })
    const answer = async (client: Client, code: string) => {
      const { data } = await client.json<{ data: { id: string } }>(api.factorChallenge(factor.id), { body: {} })
      await client.json(api.factorVerify(factor.id), { body: { code, challenge_id: data.id } })
    }
    await answer(eve, codeFor(factor.totp.secret))
    const [link] = await recoveryLinks(eve.email, 1)
    expect(await reset(link!, 'a new password')).toBe(200)
    expect((await eve.fetch(api.projects())).status).toBe(401)
    const again = await signIn(server.url, { email: eve.email, password: 'a new password' })
    expect((await again.fetch(api.projects())).status).toBe(401)
    expect((await again.fetch(api.factor(factor.id), { method: 'DELETE' })).status).toBe(401)
    await answer(again, codeFor(factor.totp.secret, 1))
    expect((await again.fetch(api.projects())).status).toBe(200)
  })
})
