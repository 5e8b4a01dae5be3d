import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { closeContexts, newPage, openBrowser } from '#tests/helpers/browser.ts'
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

const notice = (words: string) =>
  page.getByRole('region', { name: 'Notifications' }).filter({ hasText: words }).waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const nav = () => page.getByRole('navigation', { name: 'Project' })
const stored = () => page.evaluate(() => localStorage.getItem('lectern.project'))

async function signIn() {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await button('Sign In').click()
  await page.waitForURL('**/projects')
}

describe('while the session is checked', () => {
  it("shows 'Checking authentication...' and then sends a visitor to /auth (NAV-02, NAV-03, NAV-19)", async () => {
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
  it('has logo, name, project switcher and a link to /projects, and no navigation without a project (NAV-11, NAV-13, NAV-18, NAV-20)', async () => {
    await signIn()
    const head = page.getByRole('banner')
    expect(await head.getByRole('link', { name: 'Reading Room' }).getAttribute('href')).toBe('/')
    expect(await head.getByRole('link', { name: 'Projects', exact: true }).getAttribute('href')).toBe('/projects')
    await head.getByRole('button', { name: 'Select Project' }).waitFor()
    expect(await nav().count()).toBe(0)
    await page.goto('/settings')
    await head.getByRole('button', { name: 'Select Project' }).waitFor()
    expect(await nav().count()).toBe(0)
  })

  it("lists the projects under 'Projects', marks the default alone, and leads to /projects (NAV-21, NAV-22, NAV-25, NAV-26)", async () => {
    await button('Select Project').click()
    const menu = page.getByRole('menu')
    await menu.getByText('Projects', { exact: true }).waitFor()
    expect(await menu.getByRole('menuitem').allInnerTexts()).toEqual([
      'Winds & waves',
      expect.stringMatching(/^Tides\s+Default$/),
      'Manage Projects',
    ])
    await menu.getByRole('menuitem', { name: 'Manage Projects' }).click()
    await page.waitForURL('**/projects')
    await button('Select Project').click()
    await page.getByRole('menuitem', { name: 'Tides' }).click()
    await page.waitForURL('**/Tides/overview')
    expect(await stored()).toBe(tides.id)
  })

  it("says 'Loading projects...' in the switcher while the list loads (NAV-23)", async () => {
    let answer = () => {}
    const held = new Promise<void>((resume) => (answer = resume))
    await page.route(`**${api.projects()}`, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/settings')
    await button('Tides').click()
    await page.getByRole('menu').getByText('Loading projects...').waitFor()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Manage Projects'])
    answer()
    await page.getByRole('menuitem', { name: 'Winds & waves' }).waitFor()
    await page.unroute(`**${api.projects()}`)
    await page.keyboard.press('Escape')
  })

  it.each([
    ['overview', 'Overview'],
    ['documents', 'Documents'],
    ['feed', 'Feed'],
    ['discover', 'Discover'],
    ['reports', 'Reports'],
  ])(
    'links to %s of the project and marks it by the last segment of the path (NAV-14, NAV-15)',
    async (place, label) => {
      await page.goto('/settings')
      await nav().getByRole('link', { name: label, exact: true }).click()
      await page.waitForURL(`**/Tides/${place}`)
      await expect.poll(() => nav().locator('[aria-current=page]').allInnerTexts()).toEqual([label])
    },
  )

  it('shows the first two letters of the e-mail and, in the menu, name and e-mail (NAV-27, NAV-28, NAV-29)', async () => {
    await ada.json(api.profile(ada.userId), { method: 'PATCH', body: { full_name: 'Ada Byron' } })
    await page.reload()
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

  it('has a footer with the year, the company and the legal pages (NAV-12, NAV-32, NAV-33)', async () => {
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
  it('leads from the bare name of a project to its overview (NAV-08)', async () => {
    await page.goto('/Winds%20%26%20waves')
    await page.waitForURL('**/Winds%20%26%20waves/overview')
    await page.getByRole('heading', { name: 'Winds & waves', level: 1 }).waitFor()
    expect(await button('Winds & waves').isVisible()).toBe(true)
  })

  it('shows the 404 page for a single word that is no project, and for a page that no project has (NAV-05)', async () => {
    for (const path of ['/Nothing', '/Tides/nothing', '/Tides/document/x/y/z']) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Oops! Page not found' }).waitFor()
      expect(await page.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/')
      expect(new URL(page.url()).pathname).toBe(path)
    }
  })

  it('shows the 404 page for an address whose percent encoding is broken (NAV-05)', async () => {
    const answer = await page.goto('/%E0%A4%A/overview')
    expect(answer!.status()).toBe(404)
    await page.getByRole('heading', { name: 'Oops! Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Return to Home' }).click()
    await page.waitForURL('**/projects')
  })

  it("says 'Project name is required' and 'Document ID is required' where they lack (ERR-08, ERR-09)", async () => {
    await page.goto('/%20/documents')
    await page.getByRole('heading', { name: 'Project name is required' }).waitFor()
    await page.goto('/Tides/document')
    await page.getByRole('heading', { name: 'Document ID is required' }).waitFor()
    expect(await page.getByRole('link', { name: 'Back to documents' }).getAttribute('href')).toBe('/Tides/documents')
  })

  it('leaves public pages, /test-projects, /profile and /settings alone without a selected project (NAV-06, NAV-07)', async () => {
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
  const remember = () => page.evaluate((id) => localStorage.setItem('lectern.project', id), tides.id)

  it('becomes current at the start when it is found (STATE-01, STATE-02)', async () => {
    await remember()
    await page.goto('/settings')
    await button('Tides').waitFor()
    expect(await stored()).toBe(tides.id)
  })

  it('is let go when the fetch fails, with a notice and a line in the log (STATE-03, STATE-04, MSG-05, ERR-07)', async () => {
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

  it('is given up after 5000 ms, and its own page left for /projects (STATE-03, CONST-01)', async () => {
    await page.route('**/api/projects?name=*', () => {})
    await page.goto('/Tides/documents')
    await notice('The server took longer than 5 seconds to answer.')
    await page.waitForURL('**/projects')
    expect(await stored()).toBeNull()
    await page.unrouteAll()
  })
})

describe('a selected project that is there already', () => {
  it('stays, with a notice, when it cannot be read again: nobody is sent away from their work (STATE-03, MSG-05)', async () => {
    await page.goto('/Tides/reports')
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
    await page.route('**/api/projects?name=*', (route) => route.fulfill({ status: 503, body: '' }))
    await ada.json(api.project(tides.id), { method: 'PATCH', body: { description: 'As somebody else says' } })
    await notice('Error fetching current project')
    await page.unrouteAll()
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/Tides/reports')
    expect(await nav().count()).toBe(1)
    expect(await stored()).toBe(tides.id)
  })

  it('has no navigation on /projects/, and says there and elsewhere that the projects cannot be had (NAV-13, MSG-01)', async () => {
    await page.goto('/projects/')
    await page.getByRole('article', { name: 'Tides' }).waitFor()
    await button('Tides').waitFor()
    expect(await nav().count()).toBe(0)
    await page.route(`**${api.projects()}`, (route) => route.fulfill({ status: 400, body: '' }))
    await page.goto('/Tides/reports')
    await notice('Error fetching projects')
    await page.unrouteAll()
  })

  it('that is gone leads nobody away from what was deleted (NAV-06)', async () => {
    await page.evaluate(() => localStorage.setItem('lectern.project', '00000000-0000-4000-8000-000000000000'))
    await page.goto('/projects/deleted')
    await button('Select Project').waitFor()
    await expect.poll(stored).toBeNull()
    await page.getByRole('heading', { name: 'Recently deleted', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/projects/deleted')
    await page.evaluate((id) => localStorage.setItem('lectern.project', id), tides.id)
  })
})

describe('the profile', () => {
  it('gives way after 5000 ms to a default that is no admin, until it can be read (CONST-02, STATE-09, STATE-10, MSG-11)', async () => {
    await page.route(`**${api.profile('*')}`, () => {})
    await page.goto('/settings')
    await notice('Error fetching profile')
    await page.getByText('The server took longer than 5 seconds to answer.').waitFor()
    await button('User menu').click()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Profile', 'Settings', 'Log out'])
    await page.unrouteAll()
    await page.getByRole('menuitem', { name: 'Admin' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByLabel('Full Name').inputValue()).toBe('Ada Byron')
  })

  it('keeps its admin out of /admin while the default stands in (NAV-04, STATE-10)', async () => {
    await page.route(`**${api.profile('*')}`, (route) => route.abort())
    await page.goto('/admin')
    await page.waitForURL('**/projects')
    await notice('Error fetching profile')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Projects/)
    await page.unrouteAll()
  })
})

describe('a change of a project', () => {
  it('lays a veil over the page, which leaves 300 ms after the change (CONST-06)', async () => {
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
    const veil = page.getByRole('status', { name: 'Saving' })
    await veil.waitFor()
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
    answer()
    const said = page.getByText('Project created', { exact: true })
    while (!(await said.isVisible())) await page.clock.runFor(20)
    await page.clock.runFor(150)
    expect(await veil.isVisible()).toBe(true)
    await page.clock.runFor(300)
    expect(await veil.isVisible()).toBe(false)
    await page.unrouteAll()
  })

  it('is told by a toast that leaves after 5000 ms (CONST-03, CONST-04)', async () => {
    const toasts = page.getByRole('region', { name: 'Notifications' }).locator(':scope > *')
    expect(await toasts.count()).toBe(1)
    await page.clock.runFor(3500)
    expect(await toasts.count()).toBe(1)
    await page.clock.runFor(1500)
    expect(await toasts.count()).toBe(0)
    await page.clock.resume()
  })
})

describe('the reports', () => {
  it('show heading, text and the way back, and a spinner while the project loads (REP-01, REP-02, REP-03, NAV-34)', async () => {
    let answer = () => {}
    const held = new Promise<void>((resume) => (answer = resume))
    await page.route('**/api/projects?name=*', async (route) => {
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
  it('ends at /auth, without user, profile or project (NAV-31, STATE-06, STATE-08, MSG-26)', async () => {
    await page.goto('/settings')
    await button('User menu').click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await notice('Signed out successfully')
    await page.getByText('You have been signed out of your account.').waitFor()
    await page.waitForURL('**/auth')
    expect(await button('User menu').count()).toBe(0)
    // The device cookie stays: it opens nothing, and it marks a browser that has signed in before.
    const left = (await context.cookies()).filter(({ name, value }) => value !== '' && !name.endsWith('.device'))
    expect(left).toEqual([])
  })
})
