import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { closeContexts, newPage, openBrowser, signedInPage, signInContext } from '#tests/helpers/browser.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let browser: Browser
let context: BrowserContext
let page: Page
let ada: Client
let tides: { id: string }
beforeAll(async () => {
  server = await startServer({ env: { PRODUCT_NAME: 'Reading Room', COMPANY_NAME: 'Fenwick' } })
  ada = await signUp(server.url, { email: 'ada@example.org' })
  tides = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Tides' } })).data
  await ada.json(api.projects(), { body: { name: 'Winds & waves' } })
  browser = await openBrowser()
  ;({ page, context } = await newPage(browser, { baseURL: server.url }))
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

beforeEach(() => page.unrouteAll())

const notice = (words: string) =>
  page.getByRole('region', { name: 'Notifications' }).filter({ hasText: words }).waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const nav = () => page.getByRole('navigation', { name: 'Project' })
const stored = () => page.evaluate(() => localStorage.getItem('lectern.project'))

/** Signs the browser in. Stores 'Tides' as the selected project; if `selected` is false, no project is selected. */
async function openSignedIn({ selected = true } = {}) {
  await signInContext(context, ada)
  // An address without the app, because only its storage is needed.
  await page.goto('/healthz')
  await page.evaluate(
    (id) => (id ? localStorage.setItem('lectern.project', id) : localStorage.removeItem('lectern.project')),
    selected ? tides.id : null,
  )
}

describe('while the session is checked', () => {
  it("The app shows 'Checking authentication...' and then sends a visitor to /auth (NAV-02, NAV-03, NAV-19)", async () => {
    let answer = () => {}
    const held = new Promise<void>((resume) => (answer = resume))
    await page.route(`**${api.session()}`, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/settings')
    await page.getByText('Checking authentication...').waitFor()
    answer()
    await page.waitForURL('**/auth')
    await page.unroute(`**${api.session()}`)
    expect(await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/auth')
  })
})

describe('the header', () => {
  beforeEach(() => openSignedIn())

  it('The header has logo, name, project switcher and a link to /projects, and no navigation without a project (NAV-11, NAV-13, NAV-18, NAV-20)', async () => {
    await openSignedIn({ selected: false })
    await page.goto('/projects')
    const head = page.getByRole('banner')
    expect(await head.getByRole('link', { name: 'Reading Room' }).getAttribute('href')).toBe('/')
    expect(await head.getByRole('link', { name: 'Projects', exact: true }).getAttribute('href')).toBe('/projects')
    await head.getByRole('button', { name: 'Select Project' }).waitFor()
    expect(await nav().count()).toBe(0)
    await page.goto('/settings')
    await head.getByRole('button', { name: 'Select Project' }).waitFor()
    expect(await nav().count()).toBe(0)
  })

  it("The project switcher lists the projects under 'Projects', marks only the default, and leads to /projects (NAV-21, NAV-22, NAV-25, NAV-26)", async () => {
    await openSignedIn({ selected: false })
    await page.goto('/projects')
    await button('Select Project').click()
    const menu = page.getByRole('menu')
    await menu.getByRole('menuitem', { name: 'Tides' }).waitFor()
    expect(await menu.getByText('Projects', { exact: true }).count()).toBe(1)
    await expect
      .poll(() => menu.getByRole('menuitem').allInnerTexts())
      .toEqual(['Winds & waves', expect.stringMatching(/^Tides\s+Default$/), 'Manage Projects'])
    await menu.getByRole('menuitem', { name: 'Manage Projects' }).click()
    await page.waitForURL('**/projects')
    await button('Select Project').click()
    await page.getByRole('menuitem', { name: 'Tides' }).click()
    await page.waitForURL('**/Tides/overview')
    expect(await stored()).toBe(tides.id)
  })

  it("The project switcher shows 'Loading projects...' while the list loads (NAV-23)", async () => {
    let answer = () => {}
    const held = new Promise<void>((resume) => (answer = resume))
    await page.route(`**${api.projects()}`, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/settings')
    await button('Tides').click()
    await page.getByRole('menu').getByText('Loading projects...').waitFor()
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Manage Projects'])
    answer()
    await page.getByRole('menuitem', { name: 'Winds & waves' }).waitFor()
    await page.unroute(`**${api.projects()}`)
    await page.keyboard.press('Escape')
  })

  it.each([
    ['overview', 'Overview'],
    ['documents', 'Documents'],
    ['search', 'Search'],
    ['feed', 'Feed'],
    ['discover', 'Discover'],
    ['reports', 'Reports'],
  ])(
    'The navigation links to %s of the project and marks it by the last segment of the path (NAV-14, NAV-15)',
    async (place, label) => {
      await page.goto('/settings')
      await nav().getByRole('link', { name: label, exact: true }).click()
      await page.waitForURL(`**/Tides/${place}`)
      await expect.poll(() => nav().locator('[aria-current=page]').allInnerTexts()).toEqual([label])
    },
  )

  it('The user menu shows the first two letters of the e-mail, and contains name and e-mail (NAV-27, NAV-28, NAV-29)', async () => {
    await ada.json(api.profile(ada.userId), { method: 'PATCH', body: { full_name: 'Ada Byron' } })
    await page.goto('/settings')
    expect(await button('User menu').innerText()).toBe('AD')
    await button('User menu').click()
    await page.getByRole('menu').getByText('Ada Byron', { exact: true }).waitFor()
    await page.getByRole('menu').getByText('ada@example.org', { exact: true }).waitFor()
    for (const [name, to] of [
      ['Profile', '/profile'],
      ['Admin', '/admin'],
      ['Settings', '/settings'],
    ] as const)
      expect(await page.getByRole('menuitem', { name }).getAttribute('href')).toBe(to)
    await page.keyboard.press('Escape')
  })

  it('The footer has the year, the company and the legal pages (NAV-12, NAV-32, NAV-33)', async () => {
    await page.goto('/settings')
    const foot = page.getByRole('contentinfo')
    await foot.getByText(`© ${new Date().getFullYear()} Fenwick`).waitFor()
    const links = foot.getByRole('link')
    expect(await links.allInnerTexts()).toEqual(['Terms & Conditions', 'Privacy Policy', 'Cookie Notice'])
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      '/terms',
      '/privacy',
      '/cookies',
    ])
  })
})

describe('addresses', () => {
  beforeEach(() => openSignedIn())

  it('An address with only the name of a project opens its overview (NAV-08)', async () => {
    await page.goto('/Winds%20%26%20waves')
    await page.waitForURL('**/Winds%20%26%20waves/overview')
    await page.getByRole('heading', { name: 'Winds & waves', level: 1 }).waitFor()
    expect(await button('Winds & waves').isVisible()).toBe(true)
  })

  it('The 404 page is shown for an unknown project and for an unknown page of a project (NAV-05)', async () => {
    for (const path of ['/Nothing', '/Tides/nothing', '/Tides/document/x/y/z']) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Oops! Page not found' }).waitFor()
      expect(await page.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/')
      expect(new URL(page.url()).pathname).toBe(path)
    }
  })

  it('The 404 page is shown for an address with broken percent encoding (NAV-05)', async () => {
    const answer = await page.goto('/%E0%A4%A/overview')
    expect(answer!.status()).toBe(404)
    await page.getByRole('heading', { name: 'Oops! Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Return to Home' }).click()
    await page.waitForURL('**/projects')
  })

  it("The app shows 'Project name is required' and 'Document ID is required' when they are missing (ERR-08, ERR-09)", async () => {
    await page.goto('/%20/documents')
    await page.getByRole('heading', { name: 'Project name is required' }).waitFor()
    await page.goto('/Tides/document')
    await page.getByRole('heading', { name: 'Document ID is required' }).waitFor()
    expect(await page.getByRole('link', { name: 'Back to documents' }).getAttribute('href')).toBe('/Tides/documents')
  })

  it('Public pages, /test-projects, /profile and /settings open without a selected project (NAV-06, NAV-07)', async () => {
    await page.goto('/terms')
    await page.evaluate(() => localStorage.removeItem('lectern.project'))
    for (const path of ['/terms', '/privacy', '/cookies', '/test-projects', '/profile', '/settings']) {
      await page.goto(path)
      await button('Select Project').waitFor()
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(new URL(page.url()).pathname).toBe(path)
    }
    await page.goto('/test-projects')
    await page.getByRole('article', { name: 'Tides' }).waitFor()
  })
})

describe('a selected project that cannot be fetched', () => {
  beforeEach(() => openSignedIn())

  it('The selected project becomes current at the start (STATE-01, STATE-02)', async () => {
    await page.goto('/settings')
    await button('Tides').waitFor()
    expect(await stored()).toBe(tides.id)
  })

  it('The selected project is unset when it cannot be fetched, with a notice and a warning in the log (STATE-03, STATE-04, MSG-05, ERR-07)', async () => {
    await page.route(`**${api.project(tides.id)}`, (route) => route.fulfill({ status: 503, body: '' }))
    const logged = page.waitForEvent('console', (line) => line.text().includes('current project could not be fetched'))
    await page.goto('/settings')
    await notice('Error fetching current project')
    await button('Select Project').waitFor()
    expect((await logged).type()).toBe('warning')
    expect(await stored()).toBeNull()
    expect(new URL(page.url()).pathname).toBe('/settings')
    await page.unroute(`**${api.project(tides.id)}`)
  })

  it('The selected project is unset after 5000 ms, and its page redirects to /projects (STATE-03, CONST-01)', async () => {
    await page.route('**/api/projects?address=*', () => {})
    await page.goto('/Tides/documents')
    await notice('The server took longer than 5 seconds to answer.')
    await page.waitForURL('**/projects')
    expect(await stored()).toBeNull()
    await page.unrouteAll()
  })
})

describe('a selected project that is already loaded', () => {
  beforeEach(() => openSignedIn())

  it('The current project stays, with a notice, when it cannot be read again (STATE-03, MSG-05)', async () => {
    await page.goto('/Tides/reports')
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
    await page.route('**/api/projects?address=*', (route) => route.fulfill({ status: 503, body: '' }))
    await ada.json(api.project(tides.id), { method: 'PATCH', body: { description: 'Changed by another user' } })
    await notice('Error fetching current project')
    await page.unrouteAll()
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/Tides/reports')
    expect(await nav().count()).toBe(1)
    expect(await stored()).toBe(tides.id)
  })

  it('The page /projects/ has no navigation, and a notice reports that the projects cannot be loaded (NAV-13, MSG-01)', async () => {
    await page.goto('/projects/')
    await page.getByRole('article', { name: 'Tides' }).waitFor()
    await button('Tides').waitFor()
    expect(await nav().count()).toBe(0)
    await page.route(`**${api.projects()}`, (route) => route.fulfill({ status: 400, body: '' }))
    await page.goto('/Tides/reports')
    await notice('Error fetching projects')
    await page.unrouteAll()
  })

  it('The selection of a project that does not exist is cleared, and a page without a project stays open (NAV-06)', async () => {
    for (const [path, heading] of [
      ['/projects/deleted', 'Recently deleted'],
      ['/add?url=naps', 'Add a paper'],
    ] as const) {
      await page.evaluate(() => localStorage.setItem('lectern.project', '00000000-0000-4000-8000-000000000000'))
      await page.goto(path)
      await button('Select Project').waitFor()
      await expect.poll(stored).toBeNull()
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      expect(page.url()).toBe(server.url + path)
    }
  })
})

describe('the profile', () => {
  beforeEach(() => openSignedIn())

  it('The profile is replaced after 5000 ms by a default without admin right, until it can be read (CONST-02, STATE-09, STATE-10, MSG-11)', async () => {
    await ada.json(api.profile(ada.userId), { method: 'PATCH', body: { full_name: 'Ada Byron' } })
    await page.route(`**${api.profile('*')}`, () => {})
    await page.goto('/settings')
    await notice('Error fetching profile')
    await page.getByText('The server took longer than 5 seconds to answer.').waitFor()
    await button('User menu').click()
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Profile', 'Settings', 'Log out'])
    await page.unrouteAll()
    await page.getByRole('menuitem', { name: 'Admin' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByLabel('Full Name').inputValue()).toBe('Ada Byron')
  })

  it('With the default profile, an admin cannot open /admin (NAV-04, STATE-10)', async () => {
    await page.route(`**${api.profile('*')}`, (route) => route.abort())
    await page.goto('/admin')
    await page.waitForURL('**/projects')
    await notice('Error fetching profile')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Projects/)
    await page.unrouteAll()
  })
})

describe('a change of a project', () => {
  // A clock cannot be uninstalled: the test has its own page.
  it('A change of a project shows an overlay for 300 ms, and its toast disappears after 5000 ms (CONST-03, CONST-04, CONST-06)', async () => {
    const shared = page
    onTestFinished(async () => {
      await page.context().close()
      page = shared
    })
    page = (await signedInPage(browser, ada)).page
    await page.clock.install()
    await page.goto('/projects')
    let answer = () => {}
    const held = new Promise<void>((resume) => (answer = resume))
    await page.route(`**${api.projects()}`, async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await button('New Project').click()
    await page.getByLabel('Name').fill('Currents')
    await button('Create Project').click()
    const overlay = page.getByRole('status', { name: 'Saving' })
    await overlay.waitFor()
    // Later than the time of the page's clock, also on a busy machine.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 4000)
    answer()
    const toast = page.getByText('Project created', { exact: true })
    while (!(await toast.isVisible())) await page.clock.runFor(20)
    await page.clock.runFor(150)
    expect(await overlay.isVisible()).toBe(true)
    await page.clock.runFor(300)
    await overlay.waitFor({ state: 'hidden' })
    const toasts = page.getByRole('region', { name: 'Notifications' }).locator(':scope > *')
    expect(await toasts.count()).toBe(1)
    // The toast has been visible for 450 ms.
    await page.clock.runFor(3500)
    expect(await toasts.count()).toBe(1)
    await page.clock.runFor(1500)
    await expect.poll(() => toasts.count()).toBe(0)
  })
})

describe('the reports', () => {
  beforeEach(() => openSignedIn())

  it('The reports show heading, text and the way back, and a spinner while the project loads (REP-01, REP-02, REP-03, NAV-34)', async () => {
    let answer = () => {}
    const held = new Promise<void>((resume) => (answer = resume))
    await page.route('**/api/projects?address=*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/Tides/reports')
    await page.getByRole('main').getByRole('status', { name: 'Loading' }).waitFor()
    answer()
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
    await page.getByText('Generate and publish reports on your research topic.', { exact: true }).waitFor()
    const back = page.getByRole('link', { name: '← Back to projects' })
    expect(await back.getAttribute('href')).toBe('/projects')
    await page.unrouteAll()
  })
})

describe('signing out', () => {
  beforeEach(() => openSignedIn())

  it('The sign-out opens /auth and removes user, profile and project (NAV-31, STATE-06, STATE-08, MSG-26)', async () => {
    await page.goto('/settings')
    await button('User menu').click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await notice('Signed out successfully')
    await page.getByText('You have been signed out of your account.').waitFor()
    await page.waitForURL('**/auth')
    expect(await button('User menu').count()).toBe(0)
    // The device cookie remains: it gives no access, and identifies a browser that has signed in before.
    const left = (await context.cookies()).filter(({ name, value }) => value !== '' && !name.endsWith('.device'))
    expect(left).toEqual([])
  })
})
