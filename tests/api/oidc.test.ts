import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { adminCommand, adminCommandWith } from '#tests/helpers/admin.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { OIDC_CLIENT, signInAtProvider, startOidcServer } from '#tests/helpers/oidc-server.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { linkIn, startSmtpServer } from '#tests/helpers/smtp-server.ts'
import { signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { codeFor } from '#tests/helpers/totp.ts'

let provider: Awaited<ReturnType<typeof startOidcServer>>
let server: TestServer
beforeAll(async () => {
  provider = await startOidcServer({
    ada: { email: 'ada@example.org', email_verified: true, name: 'Ada Lovelace' },
    mallory: { email: 'victim@example.org', email_verified: true },
    trudy: { email: 'unchecked@example.org', email_verified: false },
    eve: { email: 'eve@example.org', email_verified: true },
    frank: { email: 'frank@example.org', email_verified: true },
    grace: { email: 'grace@example.org', email_verified: true },
  })
  server = await startServer({ env: { OIDC_ISSUER: provider.issuer, ...OIDC_CLIENT } })
  provider.serve(`${server.url}/auth/v1/callback/oidc`)
})
afterAll(async () => {
  await server.stop()
  await provider.stop()
})

const sessionOf = async (cookie: string) =>
  (await (await fetch(server.url + api.session(), { headers: { cookie } })).json()) as {
    user: { id: string; email: string }
    profile: { is_admin: boolean; full_name: string }
  } | null

describe('signing in by an OpenID Connect provider', () => {
  it('The sign-in starts at an address with provider, redirect_to, scopes and PKCE, and creates an account and a profile (AUTH-33, AUTH-34, SEC-13)', async () => {
    const { first, end, cookie } = await signInAtProvider(server.url, 'ada', '/settings')
    expect(first.origin).toBe(provider.issuer)
    expect(Object.fromEntries(first.searchParams)).toMatchObject({
      provider: 'oidc',
      redirect_to: '/settings',
      scopes: 'openid email profile',
      code_challenge_method: 'S256',
      response_type: 'code',
    })
    expect(first.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(first.searchParams.get('nonce')).toMatch(/^[\w-]{20,}$/)
    expect(end.pathname + end.search).toBe('/auth/second-step?back=%2Fsettings')
    const session = await sessionOf(cookie)
    expect(session).toMatchObject({
      user: { email: 'ada@example.org' },
      profile: { is_admin: true, full_name: 'Ada Lovelace' },
    })
    // The same user of the provider gets the same account.
    const again = await signInAtProvider(server.url, 'ada')
    expect((await sessionOf(again.cookie))?.user.id).toBe(session?.user.id)
  })

  it('The sign-in refuses an ID token of another sign-in, and stores no token of the provider', async () => {
    provider.meddle = (asked) => asked.set('nonce', 'of-another-sign-in')
    const { end, cookie } = await signInAtProvider(server.url, 'ada')
    provider.meddle = undefined
    expect(end.searchParams.get('error')).toBeTruthy()
    expect(await sessionOf(cookie)).toBeNull()
    expect(await sessionOf((await signInAtProvider(server.url, 'ada')).cookie)).not.toBeNull()
    const stored = await inDatabase(server, 'select access_token, refresh_token, id_token from account')
    for (const row of stored) expect(row).toEqual({ access_token: null, refresh_token: null, id_token: null })
  })

  it('The sign-in joins no account with an unconfirmed address', async () => {
    await signUp(server.url, { email: 'victim@example.org' })
    const { end, cookie } = await signInAtProvider(server.url, 'mallory')
    expect(end.searchParams.get('error')).toBe('account_not_linked')
    expect(await sessionOf(cookie)).toBeNull()
  })

  it('The sign-in joins no account by an address that the provider has not confirmed', async () => {
    await signUp(server.url, { email: 'unchecked@example.org' })
    const { end, cookie } = await signInAtProvider(server.url, 'trudy')
    expect(end.searchParams.get('error')).toBe('account_not_linked')
    expect(await sessionOf(cookie)).toBeNull()
  })

  it('The sign-in leads a disabled user back to the sign-in page, with the reason', async () => {
    const { cookie: admin } = await signInAtProvider(server.url, 'ada')
    const { cookie } = await signInAtProvider(server.url, 'eve')
    const disabled = await fetch(server.url + api.adminPerson((await sessionOf(cookie))!.user.id), {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', cookie: admin },
      body: '{"disabled":true}',
    })
    expect(disabled.status).toBe(200)
    expect(await sessionOf(cookie)).toBeNull()
    const again = await signInAtProvider(server.url, 'eve')
    expect(again.end.pathname + again.end.search).toBe('/auth?error=account_disabled')
    expect(await sessionOf(again.cookie)).toBeNull()
  })

  it('An account without a password is deleted only after a recent sign-in at the provider', async () => {
    const { cookie } = await signInAtProvider(server.url, 'frank')
    const { user } = (await sessionOf(cookie))!
    const remove = (as: string) =>
      fetch(server.url + api.account(), {
        method: 'DELETE',
        headers: { 'content-type': 'application/json', cookie: as },
        body: JSON.stringify({ email: 'frank@example.org' }),
      })
    await inDatabase(server, "update session set proved_at = now() - interval '16 minutes' where user_id = $1", [
      user.id,
    ])
    const refused = await remove(cookie)
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code: 'proof_required' } }])
    expect(await sessionOf(cookie)).not.toBeNull()
    const asked = await fetch(server.url + api.signInSocial(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ redirect_to: '/profile', again: true }),
    })
    const { url } = (await asked.json()) as { url: string }
    expect(new URL(url).searchParams.get('prompt')).toBe('login')
    expect((await remove((await signInAtProvider(server.url, 'frank')).cookie)).status).toBe(200)
    expect(await inDatabase(server, 'select id from "user" where id = $1', [user.id])).toEqual([])
  })

  it('A sign-in without credentials, by a session at the provider, is no new proof of identity', async () => {
    const proof = async (cookie: string) => {
      const { user } = (await sessionOf(cookie))!
      const [row] = await inDatabase(server, 'select proved_at::text as at from session where user_id = $1', [user.id])
      return (row as { at: string }).at
    }
    const first = await signInAtProvider(server.url, 'grace')
    const second = await signInAtProvider(server.url, 'grace', undefined, first.jars)
    expect(second.cookie).not.toBe(first.cookie)
    // The second (Unix time) in which the password was entered. Both sign-ins have this time as proof.
    expect(await proof(second.cookie)).toMatch(/:\d\d\+\d\d$/)
    expect(await sessionOf(first.cookie)).toBeNull()
  })

  it('The sign-in asks for the second factor like a password', async () => {
    const { cookie } = await signInAtProvider(server.url, 'ada')
    const post = (path: string, body: unknown, as = cookie) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: as },
        body: JSON.stringify(body),
      }).then(async (response) => ((await response.json()) as { data: { id: string; totp: { secret: string } } }).data)
    const factor = await post(api.factors(), { factor_type: 'totp' })
    const asked = await post(api.factorChallenge(factor.id), {})
    await post(api.factorVerify(factor.id), { code: codeFor(factor.totp.secret), challenge_id: asked.id })
    const half = await signInAtProvider(server.url, 'ada')
    expect(await sessionOf(half.cookie)).toBeNull()
    const again = await post(api.factorChallenge(factor.id), {}, half.cookie)
    const done = await fetch(server.url + api.factorVerify(factor.id), {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: half.cookie },
      body: JSON.stringify({ code: codeFor(factor.totp.secret, 1), challenge_id: again.id }),
    })
    const whole = done.headers.getSetCookie()[0]!.split(';')[0]!
    expect((await sessionOf(whole))?.user.email).toBe('ada@example.org')
  })

  it('The sign-in logs no error for a callback that a visitor invents', async () => {
    const call = async (path: string, cookie = '') => {
      const { status, headers } = await fetch(server.url + path, { headers: { cookie }, redirect: 'manual' })
      return [status, headers.get('location')]
    }
    expect(await call('/auth/v1/callback/oidc')).toEqual([302, '/auth?error=state_not_found'])
    expect((await call('/auth/v1/callback/oidc?state=made-up&code=x'))[0]).toBe(302)
    expect((await call('/auth/v1/callback/oidc?state=%00&code=x'))[0]).toBe(400)
    expect((await call('/auth/v1/callback/oidc?error=server_error'))[0]).toBe(302)
    const started = await fetch(server.url + api.signInSocial(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    const { url } = (await started.json()) as { url: string }
    const state = new URL(url).searchParams.get('state')!
    const cookie = started.headers.getSetCookie()[0]!.split(';')[0]!
    const refused = await call(`/auth/v1/callback/oidc?${new URLSearchParams({ state, code: 'made-up' })}`, cookie)
    expect(refused).toEqual([302, expect.stringContaining('error=')])
    await expect.poll(() => server.output()).toContain('State not found')
    expect(server.output()).not.toMatch(/"level":[56]0/)
  })

  it('The sign-in redirects to no other site', async () => {
    for (const away of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const { end } = await signInAtProvider(server.url, 'mallory', away)
      expect(end.origin).toBe(server.url)
      expect(end.href).not.toContain('evil')
    }
  })
})

it('The server finds a provider that was not available at its start', async () => {
  const late = await startOidcServer({ ada: { email: 'ada@example.org', email_verified: true } })
  const other = await startServer({ env: { OIDC_ISSUER: late.issuer, ...OIDC_CLIENT } })
  const start = () =>
    fetch(`${other.url}${api.signInSocial()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  try {
    expect((await start()).status).toBe(502)
    late.serve(`${other.url}/auth/v1/callback/oidc`)
    expect((await start()).status).toBe(200)
  } finally {
    await other.stop()
    await late.stop()
  }
})

it('The server refuses a provider that names another issuer than the setting', async () => {
  const impostor = await startOidcServer({ ada: { email: 'ada@example.org', email_verified: true } }, provider.issuer)
  impostor.serve('http://127.0.0.1/auth/v1/callback/oidc')
  const other = await startServer({ env: { OIDC_ISSUER: impostor.address, ...OIDC_CLIENT } })
  try {
    const asked = await fetch(other.url + api.signInSocial(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(asked.status).toBe(502)
    await expect.poll(() => other.output()).toContain('names another issuer')
  } finally {
    await other.stop()
    await impostor.stop()
  }
})

it.runIf(IS_LONG_RUN)('Users can sign in by password while the provider does not answer', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready))
  const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const other = await startServer({ env: { OIDC_ISSUER: issuer, ...OIDC_CLIENT } })
  try {
    const ada = await signUp(other.url)
    const asked = fetch(`${other.url}${api.signInSocial()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    // Other users do not wait for the user of the silent provider.
    expect(await ada.json(api.session())).toMatchObject({ user: { id: ada.userId } })
    const answer = await asked
    expect(answer.status).toBe(502)
    expect(await answer.text()).toContain('The sign-in provider cannot be reached.')
  } finally {
    await other.stop()
    silent.closeAllConnections()
    silent.close()
  }
})

it('An account that another user created for an address goes to its owner, without the password of the other user', async () => {
  const smtp = await startSmtpServer()
  const names = await startOidcServer({
    victim: { email: 'victim@example.org', email_verified: true },
    used: { email: 'used@example.org', email_verified: true },
  })
  const other = await startServer({
    env: { OIDC_ISSUER: names.issuer, ...OIDC_CLIENT, SMTP_URL: smtp.url, MAIL_FROM: 'room@example.org' },
  })
  const post = (path: string, body: unknown) =>
    fetch(other.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const session = async (cookie: string) =>
    (await (await fetch(other.url + api.session(), { headers: { cookie } })).json()) as { user: object } | null
  try {
    names.serve(`${other.url}/auth/v1/callback/oidc`)
    const password = 'of the attacker'
    for (const email of ['victim@example.org', 'used@example.org']) await post(api.signUp(), { email, password })
    // An account that was used before this server sent e-mail.
    await inDatabase(other, "update profiles set last_sign_in_at = now() where email = 'used@example.org'")

    await fetch(linkIn(await smtp.mailTo('victim@example.org')))
    const { cookie } = await signInAtProvider(other.url, 'victim')
    expect(await session(cookie)).toMatchObject({ user: { email: 'victim@example.org', emailVerified: true } })
    expect((await post(api.signIn(), { email: 'victim@example.org', password })).status).toBe(401)
    const token = new URL(linkIn(await smtp.mailTo('victim@example.org'))).searchParams.get('token')
    expect((await post(api.verifyEmail(), { token, password })).status).toBe(422)

    const { end } = await signInAtProvider(other.url, 'used')
    expect(end.searchParams.get('error')).toBe('account_not_linked')
  } finally {
    await other.stop()
    await names.stop()
    await smtp.stop()
  }
})

it('A provider login that another user linked to an unconfirmed account is removed when the owner of the address confirms it', async () => {
  const smtp = await startSmtpServer()
  const names = await startOidcServer({
    adopted: { email: 'adopted@example.org', email_verified: true },
    ...Object.fromEntries(
      ['adopted', 'recovered', 'operated'].map((name) => [
        `mallory-${name}`,
        { email: `${name}@example.org`, email_verified: false },
      ]),
    ),
  })
  const other = await startServer({
    env: { OIDC_ISSUER: names.issuer, ...OIDC_CLIENT, SMTP_URL: smtp.url, MAIL_FROM: 'room@example.org' },
  })
  const post = (path: string, body: unknown) =>
    fetch(other.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const userOf = async (login: string) => {
    const { cookie } = await signInAtProvider(other.url, login)
    const answer = await fetch(other.url + api.session(), { headers: { cookie } })
    return ((await answer.json()) as { user: { email: string } } | null)?.user.email
  }
  try {
    names.serve(`${other.url}/auth/v1/callback/oidc`)
    for (const name of ['adopted', 'recovered', 'operated']) {
      await post(api.signUp(), { email: `${name}@example.org`, password: 'of the attacker' })
      // As an earlier version linked it.
      await inDatabase(
        other,
        `insert into account (id, account_id, provider_id, user_id, created_at, updated_at)
         select gen_random_uuid(), $2, 'oidc', id, now(), now() from "user" where email = $1`,
        [`${name}@example.org`, `mallory-${name}`],
      )
      expect(await userOf(`mallory-${name}`)).toBeUndefined()
    }
    expect(await userOf('adopted')).toBe('adopted@example.org')

    await smtp.mailTo('recovered@example.org')
    await post(api.requestPasswordReset(), { email: 'recovered@example.org' })
    const token = new URL(linkIn(await smtp.mailTo('recovered@example.org', 2))).searchParams.get('token')
    expect((await post(api.resetPassword(), { token, newPassword: 'of the owner' })).status).toBe(200)

    if (other.databaseUrl) {
      const input = 'of the owner\n'
      const set = await adminCommandWith(other, { input }, 'reset-password', 'operated@example.org', '--password')
      expect(set).toMatchObject({ code: 0 })
      expect(await userOf('mallory-operated')).toBeUndefined()
    }
    for (const name of ['adopted', 'recovered'])
      expect([name, await userOf(`mallory-${name}`)]).toEqual([name, undefined])
    expect(await userOf('adopted')).toBe('adopted@example.org')
  } finally {
    await other.stop()
    await names.stop()
    await smtp.stop()
  }
})

it('A server with e-mail creates no account for an address that the provider does not confirm, and logs the reason', async () => {
  const smtp = await startSmtpServer()
  const names = await startOidcServer({ fay: { email: 'fay@example.org', email_verified: false } })
  const other = await startServer({
    env: { OIDC_ISSUER: names.issuer, ...OIDC_CLIENT, SMTP_URL: smtp.url, MAIL_FROM: 'room@example.org' },
  })
  try {
    names.serve(`${other.url}/auth/v1/callback/oidc`)
    const { end } = await signInAtProvider(other.url, 'fay', '/settings')
    expect(end.pathname + end.search).toBe('/auth?back=%2Fsettings&error=address_unconfirmed')
    expect(await inDatabase(other, 'select id from "user"')).toEqual([])
    expect(await inDatabase(other, 'select id from outbox')).toEqual([])
    await expect.poll(() => other.output()).toContain('OIDC_TRUST_EMAIL')
  } finally {
    await other.stop()
    await names.stop()
    await smtp.stop()
  }
})

it('The server has no callback without a provider', async () => {
  const plain = await startServer()
  try {
    for (const provider of ['oidc', 'google', 'x'])
      for (const query of ['', '?state=x&code=y', '?error=access_denied'])
        expect((await fetch(`${plain.url}/auth/v1/callback/${provider}${query}`)).status).toBe(404)
    expect(plain.output()).not.toMatch(/"level":[56]0/)
  } finally {
    await plain.stop()
  }
})

it('A server for one provider has no passwords, makes admins by a claim, and accepts the addresses of its domains only', async () => {
  const people = {
    first: { email: 'first@example.org', email_verified: true, groups: ['staff'] },
    chief: { email: 'chief@example.org', email_verified: true, groups: ['staff', 'librarians'] },
    guest: { email: 'guest@elsewhere.example', email_verified: true },
    made: { email: 'made@elsewhere.example', email_verified: true },
  }
  const campus = await startOidcServer(people)
  const other = await startServer({
    env: {
      OIDC_ISSUER: campus.issuer,
      ...OIDC_CLIENT,
      OIDC_NAME: 'Campus login',
      OIDC_ADMIN_CLAIM: 'groups=librarians',
      PASSWORD_SIGN_IN: 'off',
      SIGN_UP_DOMAINS: 'Example.org',
      DATABSE_URL: 'of a mistyped name',
    },
  })
  const as = async (login: string) => {
    const { cookie, end } = await signInAtProvider(other.url, login)
    const answer = await fetch(other.url + api.session(), { headers: { cookie } })
    const session = (await answer.json()) as { profile: { is_admin: boolean } } | null
    return { isAdmin: session?.profile.is_admin, end: end.pathname + end.search }
  }
  try {
    campus.serve(`${other.url}/auth/v1/callback/oidc`)
    const { data: site } = (await (await fetch(other.url + api.site())).json()) as { data: object }
    expect(site).toMatchObject({
      sign_in_with: 'Campus login',
      password_sign_in: false,
      sign_up_domains: ['example.org'],
    })
    expect(other.output()).toContain('DATABSE_URL is no setting; is DATABASE_URL meant?')

    expect((await as('first')).isAdmin).toBe(false)
    expect((await as('chief')).isAdmin).toBe(true)
    people.first.groups.push('librarians')
    expect((await as('first')).isAdmin).toBe(true)
    people.chief.groups.pop()
    expect((await as('chief')).isAdmin).toBe(false)
    // The last admin is not changed.
    people.first.groups.pop()
    expect((await as('first')).isAdmin).toBe(true)

    expect(await as('guest')).toEqual({ isAdmin: undefined, end: '/auth?error=sign_up_domain' })
    if (other.databaseUrl) {
      expect((await adminCommand(other, 'create', 'made@elsewhere.example')).code).toBe(0)
      expect((await as('made')).isAdmin).toBe(false)
    }
    const given = { email: 'first@example.org', password: 'correct horse battery', newPassword: 'x', token: 'x' }
    for (const path of [api.signIn(), api.signUp(), api.resetPassword()]) {
      const refused = await fetch(other.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(given),
      })
      expect([path, refused.status, await refused.text()]).toEqual([path, 403, expect.stringContaining('Campus login')])
    }

    // A password from before the setting is not asked for: the e-mail address and the recent sign-in confirm a deletion.
    await inDatabase(
      other,
      `insert into account (id, account_id, provider_id, user_id, password, created_at, updated_at)
       select gen_random_uuid(), id, 'credential', id, 'a hash', now(), now() from "user" where email = 'chief@example.org'`,
    )
    const { cookie } = await signInAtProvider(other.url, 'chief')
    const headers = { 'content-type': 'application/json', cookie }
    const call = (path: string, method: string, body: unknown) =>
      fetch(other.url + path, { method, headers, body: JSON.stringify(body) })
    const { data } = (await (await fetch(other.url + api.account(), { headers })).json()) as { data: object }
    expect(data).toMatchObject({ has_password: false })
    expect((await call(api.confirmPassword(), 'POST', { password: 'x' })).status).toBe(403)
    expect((await call(api.account(), 'DELETE', { email: 'chief@example.org' })).status).toBe(200)
  } finally {
    await other.stop()
    await campus.stop()
  }
})
