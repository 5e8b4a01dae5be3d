import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Factor, StartedFactor, VerifiedFactor } from '#shared/contract/accounts.ts'
import { api } from '#shared/contract/paths.ts'
import { adminCommand } from '#tests/helpers/admin.ts'
import { type Client, signIn, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { codeFor } from '#tests/helpers/totp.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ env: { PRODUCT_NAME: 'Reading Room' } })
})
afterAll(() => server.stop())

const send = (client: Client, path: string, body: unknown, method = 'POST') =>
  client.fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const begin = async (client: Client) =>
  (
    await client.json<{ data: StartedFactor }>(api.factors(), {
      body: { friendly_name: 'My phone', factor_type: 'totp', issuer: 'Reading Room' },
    })
  ).data

const challengeOf = async (client: Client, factorId: string) =>
  (await client.json<{ data: { id: string } }>(api.factorChallenge(factorId), { method: 'POST', body: {} })).data.id

/** Creates a challenge for a second factor, and answers the challenge with a code. Returns the response. */
const answer = async (client: Client, factorId: string, code: string) =>
  send(client, api.factorVerify(factorId), { code, challenge_id: await challengeOf(client, factorId) })

const verified = async (response: Response) => {
  expect(response.status).toBe(200)
  return ((await response.json()) as { data: VerifiedFactor }).data
}

/** Signs up a user with a verified second factor. Returns the client, the factor and the backup codes. */
async function withFactor() {
  const client = await signUp(server.url)
  const factor = await begin(client)
  const { backup_codes } = await verified(await answer(client, factor.id, codeFor(factor.totp.secret)))
  return { client, factor, codes: backup_codes! }
}

const aalOf = async (client: Client) =>
  (await client.json<{ session: { aal: string }; user: { factors: Factor[] } } | null>(api.session())) ?? null

describe('setting up a second factor', () => {
  it('A second factor counts after a code has verified it, with aal2 and backup codes (AUTH-23, AUTH-24, AUTH-27, AUTH-29, AUTH-30, AUTH-31)', async () => {
    const client = await signUp(server.url)
    expect(await aalOf(client)).toMatchObject({ session: { aal: 'aal1' }, user: { factors: [] } })
    const factor = await begin(client)
    expect(factor).toMatchObject({
      friendly_name: 'My phone',
      factor_type: 'totp',
      issuer: 'Reading Room',
      phone: null,
      status: 'unverified',
    })
    expect(factor.totp.uri).toContain(`secret=${factor.totp.secret}`)
    expect(await aalOf(client)).toMatchObject({
      session: { aal: 'aal1' },
      user: { factors: [{ status: 'unverified' }] },
    })
    // An unverified factor does not affect the sign-in.
    expect((await (await signIn(server.url, client)).fetch(api.projects())).status).toBe(200)

    const done = await verified(await answer(client, factor.id, codeFor(factor.totp.secret)))
    expect(done).toMatchObject({ aal: 'aal2', factor: { status: 'verified' }, backup_codes_left: 10 })
    expect(new Set(done.backup_codes).size).toBe(10)
    const after = await aalOf(client)
    expect(after).toMatchObject({
      session: { aal: 'aal2' },
      user: { factors: [{ id: factor.id, status: 'verified' }] },
    })
    expect(JSON.stringify(after)).not.toContain(factor.totp.secret)
    expect((await send(client, api.factors(), { factor_type: 'totp' })).status).toBe(409)
  })

  it('A second factor ends the sessions that were opened without it', async () => {
    const client = await signUp(server.url)
    const other = await signIn(server.url, client)
    const factor = await begin(client)
    await verified(await answer(client, factor.id, codeFor(factor.totp.secret)))
    expect((await other.fetch(api.projects())).status).toBe(401)
    expect((await client.fetch(api.projects())).status).toBe(200)
  })

  it("A phone factor is refused with a clear 'not configured' error (AUTH-32)", async () => {
    const client = await signUp(server.url)
    const response = await send(client, api.factors(), {
      friendly_name: 'Phone',
      factor_type: 'phone',
      phone: '+3225551234',
    })
    expect(response.status).toBe(501)
    expect(await response.json()).toMatchObject({
      error: {
        code: 'not_configured',
        message: 'Codes by phone are not configured: this server has no SMS gateway.',
      },
    })
  })

  it('A second factor is hidden from other users and from visitors', async () => {
    const { factor } = await withFactor()
    const other = await signUp(server.url)
    for (const path of [api.factorChallenge(factor.id), api.factorVerify(factor.id), api.factorBackupCodes(factor.id)])
      expect((await send(other, path, { code: '123456', challenge_id: factor.id })).status).toBe(404)
    expect((await other.fetch(api.factor(factor.id), { method: 'DELETE' })).status).toBe(404)
    expect((await other.fetch(api.factor('x'), { method: 'DELETE' })).status).toBe(404)
    expect((await fetch(server.url + api.factors())).status).toBe(401)
  })
})

describe('signing in with a second factor', () => {
  it('A session gives no access until the code is entered', async () => {
    const { client, factor } = await withFactor()
    const half = await signIn(server.url, client)
    for (const path of [api.projects(), api.profile(client.userId), api.models(), api.events(), api.sessions()])
      expect((await half.fetch(path)).status).toBe(401)
    expect(await (await half.fetch(api.session())).json()).toBeNull()
    expect(
      (await send(half, api.changePassword(), { currentPassword: client.password, newPassword: 'another one' })).status,
    ).toBe(401)
    expect((await half.fetch(api.factor(factor.id), { method: 'DELETE' })).status).toBe(401)
    expect((await half.fetch(api.factorBackupCodes(factor.id), { method: 'POST' })).status).toBe(401)
    const { data } = await half.json<{ data: { second_step: boolean; factors: Factor[] } }>(api.factors())
    expect(data).toMatchObject({ second_step: true, factors: [{ id: factor.id }] })

    expect((await answer(half, factor.id, '000000')).status).toBe(422)
    await verified(await answer(half, factor.id, codeFor(factor.totp.secret, 1)))
    expect((await half.fetch(api.projects())).status).toBe(200)
    expect(await aalOf(half)).toMatchObject({ session: { aal: 'aal2' } })
  })

  it('A right code gives the session a new token, in the cookie or the header, and the earlier token becomes invalid', async () => {
    const { client, factor, codes } = await withFactor()
    const statusOf = async (headers: Record<string, string>) =>
      (await fetch(server.url + api.projects(), { headers })).status
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

    const program = await signIn(server.url, client)
    const before = program.token
    await verified(await answer(program, factor.id, codes[0]!))
    expect(program.token).not.toBe(before)
    expect([await statusOf(bearer(before)), await statusOf(bearer(program.token))]).toEqual([401, 200])
    expect((await program.json<{ session: { token: string } }>(api.session())).session.token).toBe(program.token)

    /** Sends a POST request as a browser does: with an Origin header and a cookie. The response therefore contains no token. */
    const ask = async (path: string, body: unknown, cookie = '') => {
      const headers = { 'content-type': 'application/json', origin: server.url, cookie }
      return fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(';')[0]!
    const half = cookieOf(await ask(api.signIn(), { email: client.email, password: client.password }))
    const asked = await ask(api.factorChallenge(factor.id), {}, half)
    const { data } = (await asked.json()) as { data: { id: string } }
    const done = await ask(api.factorVerify(factor.id), { code: codes[1], challenge_id: data.id }, half)
    await verified(done)
    expect(done.headers.get('set-auth-token')).toBeNull()
    expect(done.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Lax/)
    expect([await statusOf({ cookie: half }), await statusOf({ cookie: cookieOf(done) })]).toEqual([401, 200])
  })

  it('A code is accepted once', async () => {
    const { client, factor } = await withFactor()
    const code = codeFor(factor.totp.secret, 1)
    const one = await signIn(server.url, client)
    const two = await signIn(server.url, client)
    await verified(await answer(one, factor.id, code))
    expect((await answer(two, factor.id, code)).status).toBe(422)
    expect((await two.fetch(api.projects())).status).toBe(401)
  })

  it('A backup code is accepted once in place of a code (AUTH-26)', async () => {
    const { client, factor, codes } = await withFactor()
    const half = await signIn(server.url, client)
    const written = codes[0]!.toLowerCase().replace('-', ' ')
    expect(await verified(await answer(half, factor.id, written))).toMatchObject({
      backup_codes: null,
      backup_codes_left: 9,
    })
    const again = await signIn(server.url, client)
    expect((await answer(again, factor.id, codes[0]!)).status).toBe(422)
    const { data } = await half.json<{ data: { backup_codes: string[] } }>(api.factorBackupCodes(factor.id), {
      method: 'POST',
    })
    expect((await answer(again, factor.id, codes[1]!)).status).toBe(422)
    await verified(await answer(again, factor.id, data.backup_codes[0]!))
  })

  it('A challenge is bound to its session and to five tries, and the factor to ten wrong codes in a row', async () => {
    const { client, factor, codes } = await withFactor()
    const one = await signIn(server.url, client)
    const two = await signIn(server.url, client)
    const challenge_id = await challengeOf(one, factor.id)
    const attempt = (as: Client, code: string) => send(as, api.factorVerify(factor.id), { code, challenge_id })
    expect(await (await attempt(two, codes[0]!)).json()).toMatchObject({
      error: { message: 'This check has expired. Start a new one.' },
    })
    for (let n = 0; n < 5; n++) expect((await attempt(one, 'WRONG-WRONG')).status).toBe(422)
    expect(await (await attempt(one, codes[0]!)).json()).toMatchObject({
      error: { message: 'This check has expired. Start a new one.' },
    })
    for (let n = 0; n < 4; n++) expect((await answer(one, factor.id, 'WRONG-WRONG')).status).toBe(422)
    const locked = await answer(two, factor.id, 'WRONG-WRONG')
    expect(locked.status).toBe(429)
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await answer(two, factor.id, codes[0]!)).status).toBe(429)
  })

  it('The sign-in asks for no code after the factor is removed (AUTH-28)', async () => {
    const { client, factor } = await withFactor()
    expect((await client.fetch(api.factor(factor.id), { method: 'DELETE' })).status).toBe(200)
    expect(await aalOf(client)).toMatchObject({ session: { aal: 'aal1' }, user: { factors: [] } })
    expect((await (await signIn(server.url, client)).fetch(api.projects())).status).toBe(200)
  })
  it('The operator removes the factor of a user who has lost it: the sessions end, and the password alone signs in', async () => {
    const { client } = await withFactor()
    const { email } = client
    await server.kill('SIGTERM')
    const remove = () => adminCommand(server, 'remove-second-factor', email)
    expect(await remove()).toMatchObject({ code: 0, printed: expect.stringContaining('with the password only') })
    expect(await remove()).toMatchObject({ code: 1, printed: `${email} has no second factor.\n` })
    await server.restart()
    expect((await client.fetch(api.projects())).status).toBe(401)
    const again = await signIn(server.url, client)
    expect((await again.fetch(api.projects())).status).toBe(200)
    await begin(again)
  })
})
