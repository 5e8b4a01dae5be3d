import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StartedFactor, VerifiedFactor } from '#shared/contract/accounts.ts'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, newPage, openBrowser } from '#tests/helpers/browser.ts'
import { OIDC_CLIENT, startOidcServer } from '#tests/helpers/oidc-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { codeFor } from '#tests/helpers/totp.ts'

let server: TestServer
let provider: Awaited<ReturnType<typeof startOidcServer>>
let browser: Browser
let page: Page
let ada: Client
beforeAll(async () => {
  provider = await startOidcServer({
    olga: { email: 'olga@example.org', email_verified: true, name: 'Olga' },
  })
  server = await startServer({ env: { OIDC_ISSUER: provider.issuer, ...OIDC_CLIENT } })
  provider.serve(`${server.url}/auth/v1/callback/oidc`)
  ada = await signUp(server.url, { email: 'ada@example.org' })
  browser = await openBrowser()
  page = (await newPage(browser, { baseURL: server.url })).page
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
  await provider.stop()
})

const button = (name: string, on = page) => on.getByRole('button', { name, exact: true })
const enter = async (email: string, password: string, on = page, address = '/auth') => {
  await on.goto(address)
  await on.getByLabel('Email').fill(email)
  await on.getByLabel('Password').fill(password)
  await button('Sign In', on).click()
}

/** Sets up and verifies a second factor by the API. Returns its secret and the backup codes. */
async function setUp(client: Client) {
  const { data: factor } = await client.json<{ data: StartedFactor }>(api.factors(), {
    body: { factor_type: 'totp' },
  })
  const { data: asked } = await client.json<{ data: { id: string } }>(api.factorChallenge(factor.id), { body: {} })
  const body = { challenge_id: asked.id, code: codeFor(factor.totp.secret) }
  const { data } = await client.json<{ data: VerifiedFactor }>(api.factorVerify(factor.id), {
    body,
  })
  return { secret: factor.totp.secret, codes: data.backup_codes! }
}

describe('the second step at sign-in', () => {
  it('The second step asks for the code, refuses a wrong one and accepts the right one or a backup code (AUTH-26)', async () => {
    const { secret, codes } = await setUp(ada)
    await enter(ada.email, ada.password)
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await button('Continue').click()
    await page.getByRole('alert').filter({ hasText: 'This code is wrong' }).waitFor()
    await page.getByLabel('Code', { exact: true }).fill(codeFor(secret, 1))
    let answer = () => {}
    const held = new Promise<void>((resume) => (answer = resume))
    await page.route(`**${api.session()}`, async (route) => {
      await held
      await route.continue()
    })
    const asked = page.waitForRequest(`**${api.session()}`)
    await button('Continue').click()
    await asked
    // No error is shown while the session is loaded.
    await button('Checking...').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    answer()
    await page.waitForURL('**/projects')

    const { page: other } = await newPage(browser, { baseURL: server.url })
    await enter(ada.email, ada.password, other, '/invitations/of-a-project-here-0000')
    await button('Use a backup code', other).click()
    await other.getByLabel('Backup code').fill(codes[0]!)
    await button('Continue', other).click()
    // The way back to an invitation remains.
    await other.getByRole('heading', { name: 'This invitation is no longer valid. Ask for a new one.' }).waitFor()
    await other.context().close()
  })

  it('The second step cannot be opened by its address alone', async () => {
    const { page: other } = await newPage(browser, { baseURL: server.url })
    await other.goto('/auth/second-step')
    await other.getByRole('heading', { name: 'Sign in again' }).waitFor()
    await other.getByRole('link', { name: 'Back to sign in' }).click()
    await button('Sign In', other).waitFor()
    expect(new URL(other.url()).pathname).toBe('/auth')
    await other.context().close()
  })
})

describe('the button of the OpenID Connect provider', () => {
  it('The OpenID Connect button is on both tabs, signs in and returns (AUTH-33)', async () => {
    const { page: other } = await newPage(browser, { baseURL: server.url })
    await other.goto('/auth?back=%2Fsettings')
    const name = `Continue with ${provider.host}`
    await other.getByRole('tab', { name: 'Sign Up' }).click()
    await button(name, other).waitFor()
    await other.getByRole('tab', { name: 'Sign In' }).click()
    expect(await accessibilityProblems(other)).toEqual([])
    await button(name, other).click()
    await other.waitForURL(`${provider.issuer}/**`)
    await other.locator('input[name=login]').fill('olga')
    await other.locator('input[name=password]').fill('any')
    await other.locator('button[type=submit]').click()
    await other.locator('button[type=submit]', { hasText: 'Continue' }).click()
    await other.waitForURL('**/settings')
    await other.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await other.context().close()
  })

  it('A cancellation at the provider leads back to the sign-in page, which reports it and keeps the page to return to (AUTH-33)', async () => {
    const { page: other } = await newPage(browser, { baseURL: server.url })
    await other.goto('/auth?back=%2Fsettings')
    await button(`Continue with ${provider.host}`, other).click()
    await other.waitForURL(`${provider.issuer}/**`)
    await other.getByRole('link', { name: 'Cancel' }).click()
    await other
      .getByRole('region', { name: 'Notifications' })
      .filter({ hasText: 'The sign-in was cancelled.' })
      .waitFor()
    const { origin, pathname, searchParams } = new URL(other.url())
    expect([origin, pathname, searchParams.get('back')]).toEqual([server.url, '/auth', '/settings'])
    expect(await (await other.request.get(api.session())).json()).toBeNull()
    await other.context().close()
  })
})
