import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenSession, StartedFactor } from '#shared/contract/accounts.ts'
import { api } from '#shared/contract/paths.ts'
import type { Profile } from '#shared/contract/profiles.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type Client, signIn, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { codeFor } from '#tests/helpers/totp.ts'

/** This file tests cases that need rows which no request can create: expired rows and missing rows. */

let server: TestServer
let ada: Client
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
})
afterAll(() => server.stop())

const DAYS = 86_400_000
const standing = async (client: Client) =>
  (await client.json<{ data: OpenSession[] }>(api.sessions())).data.find(({ current }) => current)!

describe('a session', () => {
  it('A session expires, and later when it is used (AUTH-19)', async () => {
    const other = await signIn(server.url, ada)
    const { id } = await standing(ada)
    await inDatabase(
      server,
      "update session set expires_at = now() + interval '1 day', updated_at = now() - interval '13 days' where id = $1",
      [id],
    )
    expect((await ada.fetch(api.session())).status).toBe(200)
    expect(Date.parse((await standing(ada)).expires_at) - Date.now()).toBeGreaterThan(13 * DAYS)

    const { id: second } = await standing(other)
    await inDatabase(server, "update session set expires_at = now() - interval '1 second' where id = $1", [second])
    expect((await other.fetch(api.projects())).status).toBe(401)
    expect(await (await other.fetch(api.session())).json()).toBeNull()
  })

  it('A session ends after ninety days of use', async () => {
    const other = await signIn(server.url, ada)
    const { id } = await standing(other)
    const began = (days: number) =>
      inDatabase(server, 'update session set created_at = now() - $2 * interval $$1 day$$ where id = $1', [id, days])
    await began(89.9)
    expect((await other.fetch(api.projects())).status).toBe(200)
    await began(90.1)
    expect((await other.fetch(api.projects())).status).toBe(401)
    expect(await (await other.fetch(api.session())).json()).toBeNull()
  })

  it('A session that is over is not listed, and is deleted at the next start or within an hour', async () => {
    const eve = await signUp(server.url)
    const add = (level: string, created: string, expires: string) =>
      inDatabase(
        server,
        `insert into session (id, token, user_id, level, created_at, expires_at)
          values ($1, $1, $2, $3, now() - $4::interval, now() + $5::interval) returning id`,
        [crypto.randomUUID(), eve.userId, level, created, expires],
      ).then((rows) => rows[0]!['id'] as string)
    const listed = [(await standing(eve)).id, await add('aal1', '89 days', '1 day')].toSorted()
    const stay = [...listed, await add('pending', '9 minutes', '14 days')].toSorted()
    await add('aal2', '91 days', '1 day')
    await add('aal1', '20 days', '-1 second')
    await add('pending', '11 minutes', '14 days')
    const shown = (await eve.json<{ data: OpenSession[] }>(api.sessions())).data.map(({ id }) => id)
    expect(shown.toSorted()).toEqual(listed)
    await server.restart()
    const stored = async () => {
      const rows = await inDatabase(server, 'select id from session where user_id = $1', [eve.userId])
      return rows.map((row) => row['id'] as string).toSorted()
    }
    await expect.poll(stored, { timeout: 60_000 }).toEqual(stay)
  })

  it('A session changes second factors and ends other sessions only soon after a proof of identity', async () => {
    const eve = await signUp(server.url)
    await signIn(server.url, eve)
    const { id } = await standing(eve)
    const other = (await eve.json<{ data: OpenSession[] }>(api.sessions())).data.find(({ current }) => !current)!
    const post = (path: string, body: unknown = {}) =>
      eve.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const later = () =>
      inDatabase(server, "update session set proved_at = now() - interval '16 minutes' where id = $1", [id])
    const outcomeOf = async (response: Response) => [response.status, await response.text()]
    const refused = [403, expect.stringContaining('"code":"proof_required"')]

    await later()
    expect(await outcomeOf(await post(api.factors(), { factor_type: 'totp' }))).toEqual(refused)
    expect(await outcomeOf(await post(api.revokeSession(), { id: other.id }))).toEqual(refused)
    expect(await outcomeOf(await post(api.revokeOtherSessions()))).toEqual(refused)
    expect((await post(api.confirmPassword(), { password: 'not the password' })).status).toBe(422)
    expect(await outcomeOf(await post(api.revokeOtherSessions()))).toEqual(refused)
    expect((await post(api.confirmPassword(), { password: eve.password })).status).toBe(204)
    expect((await post(api.revokeSession(), { id: other.id })).status).toBe(204)

    const factor = (await eve.json<{ data: StartedFactor }>(api.factors(), { body: { factor_type: 'totp' } })).data
    const answer = async (code: string) => {
      const asked = await eve.json<{ data: { id: string } }>(api.factorChallenge(factor.id), { body: {} })
      return post(api.factorVerify(factor.id), { code, challenge_id: asked.data.id })
    }
    expect((await answer(codeFor(factor.totp.secret))).status).toBe(200)
    await later()
    expect(await outcomeOf(await post(api.factorBackupCodes(factor.id)))).toEqual(refused)
    expect(await outcomeOf(await eve.fetch(api.factor(factor.id), { method: 'DELETE' }))).toEqual(refused)
    // A code is a proof as well, because a user of a provider has no password.
    expect((await answer(codeFor(factor.totp.secret, 1))).status).toBe(200)
    expect((await post(api.factorBackupCodes(factor.id))).status).toBe(200)
    expect((await eve.fetch(api.factor(factor.id), { method: 'DELETE' })).status).toBe(200)
  })

  it('A session accepts ten wrong passwords at most, also in parallel', async () => {
    const eve = await signUp(server.url)
    const headers = { 'content-type': 'application/json' }
    const confirm = async (password: string) => {
      const body = JSON.stringify({ password })
      return (await eve.fetch(api.confirmPassword(), { method: 'POST', headers, body })).status
    }
    const outcomes = await Promise.all(Array.from({ length: 16 }, (_, one) => confirm(`wrong password ${one}`)))
    expect([422, 429].map((status) => outcomes.filter((one) => one === status).length)).toEqual([10, 6])
    expect(await confirm(eve.password)).toBe(429)
  })

  it('A new password that is too short does not count as a wrong password', async () => {
    const eve = await signUp(server.url)
    const headers = { 'content-type': 'application/json' }
    const change = async (newPassword: string) => {
      const body = JSON.stringify({ currentPassword: eve.password, newPassword })
      return (await eve.fetch(api.changePassword(), { method: 'POST', headers, body })).status
    }
    // Concurrent checks count until they end, so these run one after the other.
    for (let attempt = 1; attempt <= 11; attempt += 1) expect([attempt, await change('short')]).toEqual([attempt, 400])
    expect(await change('a new password')).toBe(200)
  })

  it('A session cannot be opened with data from the database, or with a token without its signature', async () => {
    const other = await signIn(server.url, ada)
    const { id } = await standing(other)
    const [row] = await inDatabase(server, 'select * from session where id = $1', [id])
    const [name = '', signature = ''] = other.token.split('.')
    expect(row!['token']).toBe(createHash('sha256').update(name).digest('hex'))
    const stored = Object.values(row!).map(String)
    expect(stored.join(' ')).not.toContain(name)
    for (const proof of [...stored, name, `${String(row!['token'])}.${signature}`]) {
      const ways = { authorization: `Bearer ${proof}`, cookie: `lectern.session_token=${encodeURIComponent(proof)}` }
      for (const [way, value] of Object.entries(ways)) {
        const { status } = await fetch(server.url + api.projects(), { headers: { [way]: value } })
        expect([way, proof, status]).toEqual([way, proof, 401])
      }
    }
    // Each response has the whole token, wherever it contains a token.
    const view = await other.json<{ session: { token: string } }>(api.session())
    const signedIn = await fetch(server.url + api.signIn(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ada.email, password: ada.password }),
    })
    const { token } = (await signedIn.json()) as { token: string }
    for (const whole of [view.session.token, token]) {
      const headers = { authorization: `Bearer ${whole}` }
      expect((await fetch(server.url + api.projects(), { headers })).status).toBe(200)
    }
  })
})

describe('a profile that cannot be made', () => {
  it("A failed profile is reported at sign-up ('Profile creation failed'), and created later (MSG-12, MSG-21)", async () => {
    await inDatabase(server, "alter table profiles add constraint broken check (email <> 'eve@example.org')")
    const account = { email: 'eve@example.org', password: 'correct horse battery' }
    const response = await fetch(server.url + api.signUp(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('Profile creation failed')])

    // The account exists and has a session; only its profile is missing.
    const eve = await signIn(server.url, account)
    const view = await eve.json<{ user: { email: string }; profile: Profile | null }>(api.session())
    expect(view).toMatchObject({ user: { email: account.email }, profile: null })
    const asked = await eve.fetch(api.profile(eve.userId))
    expect([asked.status, await asked.text()]).toEqual([500, expect.stringContaining('Profile creation failed')])

    await inDatabase(server, 'alter table profiles drop constraint broken')
    const made = (await eve.json<{ data: Profile }>(api.profile(eve.userId))).data
    expect(made).toMatchObject({ full_name: 'eve', is_admin: false })
  })
})

describe('the tags of a project', () => {
  it('Each tag of a project is stored as a row with the project, the tag and the date (TAG-07)', async () => {
    const { data } = await ada.json<{ data: { id: string; tags: { id: string }[] } }>(api.projects(), {
      body: { name: 'Naps', tags: ['sleep'] },
    })
    const links = await inDatabase(server, 'select * from project_tags where project_id = $1', [data.id])
    expect(links).toEqual([{ project_id: data.id, tag_id: data.tags[0]!.id, created_at: expect.any(Date) }])
  })
})
