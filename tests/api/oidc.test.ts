import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/paths.ts'
import { OIDC_CLIENT, signInAtProvider, startOidcServer } from '#tests/helpers/oidc-server.ts'
import { inDatabase } from '#tests/helpers/database.ts'
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
  it('starts at an address with provider, redirect_to, scopes and PKCE, and makes an account and a profile (AUTH-33, AUTH-34, SEC-13)', async () => {
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
    // The same person comes back to the same account.
    const again = await signInAtProvider(server.url, 'ada')
    expect((await sessionOf(again.cookie))?.user.id).toBe(session?.user.id)
  })

  it('takes no ID token that was made for another sign-in, and keeps no token of the provider', async () => {
    provider.meddle = (asked) => asked.set('nonce', 'of-another-sign-in')
    const { end, cookie } = await signInAtProvider(server.url, 'ada')
    provider.meddle = undefined
    expect(end.searchParams.get('error')).toBeTruthy()
    expect(await sessionOf(cookie)).toBeNull()
    expect(await sessionOf((await signInAtProvider(server.url, 'ada')).cookie)).not.toBeNull()
    const kept = await inDatabase(server, 'select access_token, refresh_token, id_token from account')
    for (const row of kept) expect(row).toEqual({ access_token: null, refresh_token: null, id_token: null })
  })

  it('joins no account whose own address was never checked', async () => {
    await signUp(server.url, { email: 'victim@example.org' })
    const { end, cookie } = await signInAtProvider(server.url, 'mallory')
    expect(end.searchParams.get('error')).toBe('account_not_linked')
    expect(await sessionOf(cookie)).toBeNull()
  })

  it('joins no account by an address that the provider has not checked', async () => {
    await signUp(server.url, { email: 'unchecked@example.org' })
    const { end, cookie } = await signInAtProvider(server.url, 'trudy')
    expect(end.searchParams.get('error')).toBe('account_not_linked')
    expect(await sessionOf(cookie)).toBeNull()
  })

  it('leads who is disabled back to sign-in, with the reason', async () => {
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

  it('asks for the second factor as a password does', async () => {
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

  it('goes on to no other site', async () => {
    for (const away of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const { end } = await signInAtProvider(server.url, 'mallory', away)
      expect(end.origin).toBe(server.url)
      expect(end.href).not.toContain('evil')
    }
  })
})

it('finds a provider that was away when the server started', async () => {
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

it('uses no provider that names another issuer than the one of the settings', async () => {
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

it('lets people in by password while the provider keeps silent', async () => {
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
    // Nobody waits for the one who asks for the provider.
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
