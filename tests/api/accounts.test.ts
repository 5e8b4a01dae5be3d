import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, startServer, signIn, signUp, signUpByRequest, type TestServer } from '#tests/helpers/server.ts'
import { api } from '#shared/contract/paths.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('accounts', () => {
  it('The first account is an admin and the next one is not, each with a profile named after the e-mail (AUTH-11, AUTH-12, SEC-01, SEC-13)', async () => {
    const isFirst = async () =>
      ((await (await fetch(server.url + api.site())).json()) as { data: { first_account: boolean } }).data.first_account
    // The sign-up screen shows this until the first account exists.
    expect(await isFirst()).toBe(true)
    const first = await signUpByRequest(server.url, { email: 'ada.lovelace@example.org' })
    expect(await isFirst()).toBe(false)
    const second = await signUpByRequest(server.url)
    const profile = await first.json<{ data: { is_admin: boolean; full_name: string; email: string } }>(
      api.profile(first.userId),
    )
    expect(profile.data).toMatchObject({ is_admin: true, full_name: 'ada.lovelace', email: 'ada.lovelace@example.org' })
    expect((await second.json<{ data: { is_admin: boolean } }>(api.profile(second.userId))).data.is_admin).toBe(false)
  })

  it('A sign-up answers with the user, whose name defaults to the first part of the e-mail (AUTH-13)', async () => {
    const response = await post(api.signUp(), { email: 'grace@example.org', password: 'secret' })
    expect(response.status).toBe(200)
    expect(((await response.json()) as { user: { name: string } }).user.name).toBe('grace')
  })

  it.each([
    ['a short password', { email: 'x@example.org', password: '12345' }],
    ['no password', { email: 'x@example.org' }],
    ['no e-mail', { password: 'secret1' }],
    ['an e-mail that is none', { email: 'x', password: 'secret1' }],
  ])('A sign-up with %s is refused (AUTH-06, CONST-10)', async (_what, body) => {
    const response = await post(api.signUp(), body)
    const { error } = (await response.json()) as { error: { code: string; message: string; fields: object } }
    expect([response.status, error.code, Object.values(error.fields)]).toEqual([422, 'refused', [error.message]])
  })

  it('A sign-up reports a taken address in any case, when no e-mail can be sent', async () => {
    const { email } = await signUp(server.url)
    const response = await post(api.signUp(), { email: email.toUpperCase(), password: 'another one' })
    const message = 'There is an account with this e-mail address already.'
    expect([response.status, await response.json()]).toEqual([
      422,
      { error: { code: 'refused', message, fields: { email: message } } },
    ])
  })

  it('A refused sign-in has the error body of the API, not that of the account library', async () => {
    const { email } = await signUp(server.url)
    const wrong = await post(api.signIn(), { email, password: 'wrong one' })
    expect([wrong.status, await wrong.json()]).toMatchObject([
      401,
      { error: { code: 'invalid_email_or_password', message: 'Invalid email or password' } },
    ])
    const none = await post(api.signIn(), {})
    expect([none.status, await none.json()]).toEqual([
      422,
      {
        error: {
          code: 'refused',
          message: 'Enter your e-mail address',
          fields: { email: 'Enter your e-mail address', password: 'Enter your password' },
        },
      },
    ])
  })

  it('A sign-in opens a session as an httpOnly, SameSite=Lax cookie and a bearer token (AUTH-14, AUTH-15, AUTH-17, AUTH-23)', async () => {
    const { email, password } = await signUp(server.url)
    const response = await post(api.signIn(), { email, password })
    expect(response.status).toBe(200)
    expect(response.headers.get('set-auth-token')).toBeTruthy()
    const cookie = response.headers.getSetCookie().find((one) => one.includes('session_token'))!
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    const session = await fetch(server.url + api.session(), { headers: { cookie: cookie.split(';')[0]! } })
    const view = (await session.json()) as {
      user: { email: string }
      session: Record<string, unknown>
      profile: { email: string }
    }
    expect(view.user.email).toBe(email)
    expect(view.profile.email).toBe(email)
    expect(view.session).toMatchObject({ aal: 'aal1' })
    expect(view.session).not.toHaveProperty('token')
  })

  it('A page gets no token that it can read (AUTH-23, SEC-10)', async () => {
    const { email, password } = await signUp(server.url)
    const response = await post(api.signIn(), { email, password }, { origin: server.url })
    expect(response.status).toBe(200)
    expect(response.headers.get('set-auth-token')).toBeNull()
    expect(((await response.json()) as { token: unknown }).token).toBeNull()
  })

  it('A sign-out ends the session and needs no payload (AUTH-16, AUTH-18)', async () => {
    const client = await signUp(server.url)
    expect((await client.fetch(api.signOut(), { method: 'POST' })).status).toBe(200)
    expect((await client.fetch(api.projects())).status).toBe(401)
    expect(await (await client.fetch(api.session())).json()).toBeNull()
  })

  it('A request is authenticated before its input is checked', async () => {
    for (const [path, body] of [
      [api.projects(), '{"name":'],
      [api.projects(), '{}'],
      ['/api/nothing', '{}'],
    ] as const)
      expect((await fetch(server.url + path, { method: 'POST', body })).status).toBe(401)
  })

  it('A wrong password and an invented token are refused', async () => {
    const { email } = await signUp(server.url)
    await expect(signIn(server.url, { email, password: 'wrong one' })).rejects.toThrow('401')
    const made = await fetch(server.url + api.projects(), { headers: { authorization: 'Bearer abc.def' } })
    expect(made.status).toBe(401)
  })

  it('A change that another site requests is refused (ERR-12)', async () => {
    const { email, password } = await signUp(server.url)
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as Record<
      string,
      string
    >[])
      expect((await post(api.signIn(), { email, password }, headers)).status).toBe(403)
  })

  it('The profile of another user is hidden, and no user can change an admin flag there (ADMU-08, API-19, API-20)', async () => {
    const one = await signUp(server.url)
    const other = await signUp(server.url)
    expect((await one.fetch(api.profile(other.userId))).status).toBe(404)
    const body = { full_name: 'New Name', is_admin: true, theme: 'dark' }
    const { data } = await one.json<{ data: { full_name: string; is_admin: boolean; theme: string } }>(
      api.profile(one.userId),
      { method: 'PATCH', body },
    )
    expect(data).toMatchObject({ full_name: 'New Name', is_admin: false, theme: 'dark' })
    expect(
      (
        await one.fetch(api.profile(other.userId), {
          method: 'PATCH',
          body: '{"full_name":"x"}',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(404)
  })

  it('Two first sign-ups at the same time create one admin (SEC-13, SEC-15)', async () => {
    const fresh = await startServer()
    try {
      const clients = await Promise.all(
        ['a@example.org', 'b@example.org', 'c@example.org'].map((email) => signUpByRequest(fresh.url, { email })),
      )
      const flags = await Promise.all(
        clients.map(
          async (client) =>
            (await client.json<{ data: { is_admin: boolean } }>(api.profile(client.userId))).data.is_admin,
        ),
      )
      expect(flags.filter(Boolean)).toHaveLength(1)
    } finally {
      await fresh.stop()
    }
  })

  it('Password guessing is slowed down, with Retry-After (ERR-18)', async () => {
    const limited = await startServer({ env: { RATE_LIMIT: 'on' } })
    try {
      const answers: Response[] = []
      for (let n = 0; n < 12; n++)
        answers.push(
          await fetch(limited.url + api.signIn(), {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"email":"a@example.org","password":"wrong password"}',
          }),
        )
      const last = answers.at(-1)!
      expect(last.status).toBe(429)
      expect(last.headers.get('retry-after') ?? last.headers.get('x-retry-after')).toBeTruthy()
    } finally {
      await limited.stop()
    }
  })
})

describe('sessions', () => {
  type Sessions = { data: { id: string; device: string; current: boolean }[]; count: number }
  const send = (client: Client, path: string, body: unknown) =>
    client.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Reader/1.0' },
      body: JSON.stringify(body),
    })

  it('Sessions are listed for their user only, with ids that give no access (AUTH-21)', async () => {
    const one = await signUp(server.url)
    const two = await signIn(server.url, one)
    await signUp(server.url)
    const { data, count } = await one.json<Sessions>(api.sessions())
    expect(count).toBe(2)
    expect(data.filter(({ current }) => current)).toHaveLength(1)
    expect(data[0]!.device).toBe('A program (node)')
    const secrets = [one, two].map(({ token }) => token.split('.')[0]!)
    for (const secret of secrets) expect(JSON.stringify(data)).not.toContain(secret)
    for (const { id } of data)
      expect((await fetch(server.url + api.projects(), { headers: { authorization: `Bearer ${id}` } })).status).toBe(
        401,
      )
  })

  it('Sessions end one by one, and then their token is refused (AUTH-22)', async () => {
    const one = await signUp(server.url)
    const two = await signIn(server.url, one)
    const stranger = await signUp(server.url)
    const { data } = await one.json<Sessions>(api.sessions())
    const other = data.find(({ current }) => !current)!
    expect((await send(stranger, api.revokeSession(), { id: other.id })).status).toBe(404)
    expect((await two.fetch(api.projects())).status).toBe(200)
    expect((await send(one, api.revokeSession(), { id: other.id })).status).toBe(204)
    expect((await two.fetch(api.projects())).status).toBe(401)
    expect((await one.fetch(api.projects())).status).toBe(200)
  })

  it('All sessions except the current one end with one call', async () => {
    const one = await signUp(server.url)
    const others = [await signIn(server.url, one), await signIn(server.url, one)]
    expect(await (await send(one, api.revokeOtherSessions(), {})).json()).toEqual({ data: { ended: 2 } })
    for (const other of others) expect((await other.fetch(api.projects())).status).toBe(401)
    expect((await one.fetch(api.projects())).status).toBe(200)
  })

  it('A new password ends all other sessions and replaces the old password', async () => {
    const one = await signUp(server.url)
    const other = await signIn(server.url, one)
    const change = (currentPassword: string, newPassword: string) =>
      send(one, api.changePassword(), { currentPassword, newPassword })
    expect((await change('not the password', 'a new password')).status).toBe(400)
    expect((await change(one.password, 'short')).status).toBe(400)
    expect((await other.fetch(api.projects())).status).toBe(200)
    expect((await change(one.password, 'a new password')).status).toBe(200)
    expect((await other.fetch(api.projects())).status).toBe(401)
    expect((await one.fetch(api.projects())).status).toBe(200)
    await expect(signIn(server.url, one)).rejects.toThrow('401')
    await signIn(server.url, { email: one.email, password: 'a new password' })
  })

  it('A change of the password and other confirmations share one limit of wrong passwords (ERR-18)', async () => {
    const one = await signUp(server.url)
    const change = (currentPassword: string) =>
      send(one, api.changePassword(), { currentPassword, newPassword: 'a new password' })
    const statuses = []
    for (let n = 0; n < 10; n++) statuses.push((await change('not the password')).status)
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 400))
    const refused = await change(one.password)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 60]).toEqual([429, true])
    // Both routes use the same count.
    expect((await send(one, api.confirmPassword(), { password: one.password })).status).toBe(429)
  })
})
