import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, endSessionAt, newPage, openBrowser } from '#tests/helpers/browser.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let browser: Browser
let page: Page
let ada: Client
beforeAll(async () => {
  server = await startServer({ env: { PRODUCT_NAME: 'Reading Room', COMPANY_NAME: 'Fenwick' } })
  ada = await signUp(server.url, { email: 'ada@example.org' })
  browser = await openBrowser()
  page = (await newPage(browser, { baseURL: server.url })).page
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

const notice = (words: string) =>
  page.getByRole('region', { name: 'Notifications' }).filter({ hasText: words }).waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })

describe('a visitor', () => {
  beforeEach(() => page.context().clearCookies())

  it.each(['/', '/projects', '/test-projects', '/profile', '/settings', '/Any/documents', '/Any/document/x/chat'])(
    'A visitor is sent from %s to the sign-in page (NAV-02, NAV-19, SEC-02)',
    async (path) => {
      await page.goto(path)
      await page.waitForURL('**/auth')
      expect(await page.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/auth')
    },
  )

  it('A visitor is sent from /admin/users to the sign-in page (NAV-04)', async () => {
    await page.goto('/admin/users')
    await page.waitForURL('**/auth')
    expect(new URL(page.url()).pathname).toBe('/auth')
  })

  it.each([
    ['/terms', 'Terms and Conditions'],
    ['/privacy', 'Privacy Policy'],
    ['/cookies', 'Cookie Notice'],
  ])('A visitor can read %s (LEGAL-01, LEGAL-02, LEGAL-03, SEC-02)', async (path, title) => {
    await page.goto(path)
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await page.getByText('Last updated March 2025').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('A visitor gets the 404 page at an unknown address (NAV-05)', async () => {
    await page.goto('/no/such/page/here')
    await page.getByRole('heading', { name: 'Oops! Page not found' }).waitFor()
    expect(await page.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/')
  })

  it('A visitor sees the product and company names that the operator has set (NAV-12, NAV-32, API-51)', async () => {
    await page.goto('/auth')
    await page.getByRole('heading', { name: 'Sign in to Reading Room' }).waitFor()
    await page.getByText(`© ${new Date().getFullYear()} Fenwick`).waitFor()
    expect(await page.title()).toBe('Sign In · Reading Room')
  })
})

/** Signs the browser in as Ada by a request, and opens the projects page. */
async function openSignedIn() {
  const { email, password } = ada
  const answer = await page.context().request.post(api.signIn(), {
    data: { email, password },
    headers: { origin: server.url },
  })
  expect(answer.ok()).toBe(true)
  await page.goto('/projects')
}

describe('signing in and up', () => {
  beforeEach(() => page.context().clearCookies())

  it('The sign-in page refuses empty fields and a short password (AUTH-05, AUTH-06, CONST-10)', async () => {
    await page.goto('/auth')
    await button('Sign In').click()
    await page.getByText('Enter your email').waitFor()
    await page.getByText('Enter your password').waitFor()
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await page.getByLabel('Email').fill('new@example.org')
    await page.getByLabel('Password').fill('short')
    await button('Sign Up').click()
    await page.getByRole('alert').filter({ hasText: 'Password must be at least 6 characters long' }).waitFor()
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
  })

  it('The sign-in page reports a wrong password (MSG-20)', async () => {
    await page.goto('/auth')
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password').fill('not the password')
    await button('Sign In').click()
    await notice('Authentication failed')
    await page.locator('form').getByText('Invalid email or password').waitFor()
    expect(new URL(page.url()).pathname).toBe('/auth')
  })

  it('The sign-in page removes the notice after the right password, and a signed-in user is sent away from /auth (AUTH-02, STATE-05)', async () => {
    await page.goto('/auth')
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password').fill('not the password')
    await button('Sign In').click()
    await notice('Authentication failed')
    await page.getByLabel('Password').fill(ada.password)
    await button('Sign In').click()
    await page.waitForURL('**/projects')
    await page.getByText('Authentication failed').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    await page.goto('/auth/anything')
    await page.waitForURL('**/projects')
    expect(await page.evaluate(() => document.cookie)).toBe('')
  })

  it('The user menu shows the signed-in user, with Admin for the first account (NAV-27, NAV-29, NAV-30, STATE-07)', async () => {
    await openSignedIn()
    await button('User menu').click()
    expect(await button('User menu').innerText()).toBe('AD')
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Profile', 'Admin', 'Settings', 'Log out'])
    await page.keyboard.press('Escape')
  })

  it('The settings save dark mode and font size, and the first paint of a new page uses them (SET-04, SET-05, SET-06, SET-07)', async () => {
    await openSignedIn()
    await page.goto('/settings')
    await page.getByRole('tab', { name: 'Appearance' }).click()
    await page.getByRole('switch', { name: 'Dark Mode' }).click()
    await notice('Settings saved')
    await page.getByRole('radio', { name: 'Large' }).click()
    await page.locator('html[data-font-size=large]').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.goto('/theme.js')
    await page.goto('/projects', { waitUntil: 'commit' })
    await page.locator('html.dark[data-font-size=large]').waitFor()
  })
})

describe('a session that ends', () => {
  beforeEach(openSignedIn)

  it('A session that ends during work shows a notice, and the user returns to the page after sign-in (MSG-27)', async () => {
    const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Tides & winds' } })
    expect(data.id).not.toBe('')
    await page.goto('/Tides%20%26%20winds/documents?sort=title.asc')
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
    const isSearch = (request: Request) => new URL(request.url()).searchParams.get('search') === 'moon'
    await endSessionAt(page, isSearch, async () => {
      await page.getByPlaceholder('Search documents...').fill('moon')
      await notice('You are not logged in.')
    })
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password').fill(ada.password)
    await button('Sign In').click()
    await page.waitForURL('**/Tides%20%26%20winds/documents?*sort=title.asc*')
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
  })

  it('The sign-in does not redirect to another site', async () => {
    await page.goto('/auth?back=%2F%2Fexample.org%2F')
    await page.waitForURL('**/projects')
    expect(new URL(page.url()).origin).toBe(server.url)
  })

  it('The sign-out in one tab ends the session in all tabs (STATE-06)', async () => {
    const other = await page.context().newPage()
    await other.goto('/settings')
    await other.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await button('User menu').click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await notice('Signed out successfully')
    await page.waitForURL('**/auth')
    await other.waitForURL('**/auth')
    expect(await other.getByRole('button', { name: 'User menu' }).count()).toBe(0)
    await other.close()
  })
})

it('A closed installation shows the sign-in only, and names the users who create accounts', async () => {
  const closed = await startServer({ env: { SIGN_UP: 'closed' } })
  try {
    await page.context().clearCookies()
    await page.goto(`${closed.url}/auth`)
    await page.getByText('The operator creates the first one on the server').waitFor()
    expect(await page.getByRole('tab').count()).toBe(0)
    expect(await button('Sign In').count()).toBe(1)
    await page.getByText('Ask an administrator for a link.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  } finally {
    await closed.stop()
  }
})
