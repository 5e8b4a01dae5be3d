import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
beforeAll(async () => {
  ada = await signUp(server.url)
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
beforeEach(() => page.goto('/projects'))
afterAll(() => closeContexts(browser))

const notice = (words: string) =>
  page.getByRole('region', { name: 'Notifications' }).filter({ hasText: words }).waitFor()
const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true })
const card = (name: string) => page.getByRole('article', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const create = (name: string) => ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })
/** Creates the projects of these names that do not exist yet, and opens the list of projects. */
async function projects(...names: string[]) {
  const { data } = await ada.json<{ data: { name: string }[] }>(api.projects())
  for (const name of names) if (!data.some((project) => project.name === name)) await create(name)
  await page.goto('/projects')
  for (const name of names) await card(name).waitFor()
}

describe('the list of projects', () => {
  it('The list of projects explains what to do while it is empty (NAV-20, NAV-24)', async () => {
    await page.getByRole('heading', { name: 'No projects yet.' }).waitFor()
    await button('Select Project').click()
    await page.getByText('No projects found').waitFor()
    await page.keyboard.press('Escape')
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('The form refuses a blank, a reserved and a taken name with a message beside the field (PROJ-10, PROJ-14)', async () => {
    await projects('Night shifts')
    await button('New Project').first().click()
    await button('Create Project').click()
    await dialog().getByText('Project name is required').waitFor()
    await page.getByLabel('Name').fill(' Settings ')
    await button('Create Project').click()
    await dialog().getByText('This name is reserved. Please choose another one.').waitFor()
    await page.getByLabel('Name').fill('night SHIFTS')
    await button('Create Project').click()
    await dialog().getByText('You already have a project with this name.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  it('The form accepts tags by Enter, and uses the known spelling of known tags (TAG-01, TAG-02, TAG-03)', async () => {
    await ada.json(api.projects(), { body: { name: 'Naps', tags: ['Memory'] } })
    await page.reload()
    await card('Naps').waitFor()
    await button('New Project').click()
    await page.getByLabel('Name').fill('Ageing')
    const tags = page.getByLabel('Tags')
    await page.getByRole('group', { name: 'Suggestions' }).getByText('Memory', { exact: true }).waitFor()
    for (const word of ['memory', '  ', 'sleep', 'SLEEP']) {
      await tags.fill(word)
      await tags.press('Enter')
    }
    await button('Create Project').click()
    await notice('Project created')
    await card('Ageing').waitFor()
    expect(await card('Ageing').locator('[data-slot=chip]').allInnerTexts()).toEqual(['Memory', 'sleep'])
  })

  it('The list of projects changes the default (PROJ-03, PROJ-16)', async () => {
    await projects('Night shifts', 'Ageing')
    await button('More for Ageing').click()
    await page.getByRole('menuitem', { name: 'Set as default' }).click()
    await card('Ageing').getByText('Default').waitFor()
    expect(await page.getByText('Default', { exact: true }).count()).toBe(1)
  })

  it('The list of projects edits a project (PROJ-04, PROJ-08, MSG-09)', async () => {
    await projects('Edited')
    await button('Edit', card('Edited')).click()
    await page.getByLabel('Research question').fill('How short is long enough?')
    await button('Save Changes').click()
    await notice('Project updated')
    await expect.poll(() => card('Edited').getByText('How short is long enough?').isVisible()).toBe(true)
  })

  it('The list of projects deletes a project after a confirmation (PROJ-04, PROJ-05, MSG-10)', async () => {
    await projects('Obsolete')
    await button('Delete', card('Obsolete')).click()
    await button('Cancel', page.getByRole('alertdialog')).click()
    expect(await card('Obsolete').isVisible()).toBe(true)
    await button('Delete', card('Obsolete')).click()
    await button('Delete project', page.getByRole('alertdialog')).click()
    await notice('Project deleted')
    await card('Obsolete').waitFor({ state: 'detached' })
  })
})

describe('one project', () => {
  beforeEach(() => projects('Night shifts', 'Ageing'))

  it('A project is selected by its address, shown in the switcher and remembered (NAV-06, NAV-13, NAV-14, NAV-15, NAV-20, STATE-02)', async () => {
    await page.goto('/Ageing/overview')
    await page.getByRole('heading', { name: 'Ageing', level: 1 }).waitFor()
    const nav = page.getByRole('navigation', { name: 'Project' })
    expect(await nav.getByRole('link').allInnerTexts()).toEqual([
      'Overview',
      'Documents',
      'Search',
      'Ask',
      'Feed',
      'Discover',
      'Reports',
    ])
    expect(await nav.locator('[aria-current=page]').innerText()).toBe('Overview')
    await page.goto('/settings')
    await button('Ageing').waitFor()
    expect(await nav.count()).toBe(1)
    await page.goto('/projects')
    await button('Ageing').waitFor()
    expect(await nav.count()).toBe(0)
  })

  it('The switcher changes the project (NAV-26, STATE-01, STATE-04)', async () => {
    await page.goto('/Ageing/overview')
    await button('Ageing').click()
    await page.getByRole('menuitem', { name: 'Night shifts' }).click()
    await page.waitForURL('**/Night%20shifts/overview')
    expect(await page.evaluate(() => localStorage.getItem('lectern.project'))).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('An unknown project is not found (NAV-09, NAV-34)', async () => {
    await page.goto('/Nowhere/documents')
    await page.getByRole('heading', { name: 'Project not found' }).waitFor()
    expect(await page.getByRole('link', { name: '← Back to projects' }).getAttribute('href')).toBe('/projects')
  })

  it('A deleted project is no longer selected (STATE-03, STATE-04)', async () => {
    const { data } = await create('Short-lived')
    await page.goto('/Short-lived/overview')
    await page.getByRole('heading', { name: 'Short-lived', level: 1 }).waitFor()
    await ada.fetch(api.project(data.id), { method: 'DELETE' })
    await page.goto('/settings')
    await button('Select Project').waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('lectern.project'))).toBeNull()
  })

  it.each([
    ['feed', 'Feed'],
    ['discover', 'Discover'],
    ['reports', 'Reports'],
  ])('A project has the page %s (SEC-03)', async (place, title) => {
    await page.goto(`/Ageing/${place}`)
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('The command palette opens a project', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('night')
    await page.getByRole('option', { name: 'Night shifts' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/Night%20shifts/overview')
  })
})

describe('a name of 200 characters', () => {
  const name = 'L'.repeat(200)

  it.each([1280, 390])(
    'A name of 200 characters has at most three lines on the card and on the overview at %d px',
    async (width) => {
      await page.setViewportSize({ width, height: 800 })
      await projects(name)
      for (const [address, heading] of [
        ['/projects', card(name).getByRole('link', { name, exact: true })],
        [`/${name}/overview`, page.getByRole('heading', { name, exact: true, level: 1 })],
      ] as const) {
        await page.goto(address)
        await heading.waitFor()
        const lines = await heading.evaluate(
          (element) => element.getBoundingClientRect().height / parseFloat(getComputedStyle(element).lineHeight),
        )
        expect(lines).toBeCloseTo(3, 1)
        expect(await heading.getAttribute('title')).toBe(name)
      }
    },
  )
})

describe('on a narrow screen', () => {
  it('A narrow screen has the links and the search in a side menu (NAV-16, NAV-17)', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await projects('Ageing')
    await page.goto('/Ageing/overview')
    await button('Open menu').click()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await button('Search', menu).waitFor()
    expect(await menu.getByRole('link').allInnerTexts()).toEqual([
      'Overview',
      'Documents',
      'Search',
      'Ask',
      'Feed',
      'Discover',
      'Reports',
      'People',
      'Projects',
    ])
    expect(await accessibilityProblems(page)).toEqual([])
    await menu.getByRole('link', { name: 'Documents' }).click()
    await page.waitForURL('**/Ageing/documents')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })
})
