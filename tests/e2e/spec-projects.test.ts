import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { clickAfterFailure, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/** This file tests the overview of a project, and the error messages of projects and accounts, against the specification. */

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
let project: string
beforeAll(async () => {
  browser = await openBrowser()
  ada = await signUp(server.url)
  const body = {
    name: 'Tides',
    description: `First part.\n\nSecond part.\n\n${'Unbroken'.repeat(40)}`,
    research_question: 'Do tides wake sleepers?',
    tags: ['sea', 'sleep'],
  }
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body })).data.id
  page = (await signedInPage(browser, ada)).page
})
afterEach(async () => {
  await page.context().setOffline(false)
  await page.unrouteAll()
})
afterAll(() => closeContexts(browser))

const button = (name: string) => page.getByRole('button', { name, exact: true })

/** Waits for the notice with this title. Returns its whole text. */
async function notice(title: string) {
  const shown = page.getByRole('region', { name: 'Notifications' }).filter({ hasText: title })
  await shown.waitFor()
  return shown.innerText()
}
/** Makes all requests with this method and path fail with an error body of the server. `body` overrides fields of the error. */
const fail = (method: string, path: string | RegExp, body: object = {}, status = 500) =>
  page.route(path, (route) =>
    route.request().method() === method
      ? route.fulfill({ status, json: { error: { code: 'internal', message: 'The disk is full.', ...body } } })
      : route.fallback(),
  )
const LIST = /\/api\/projects(\?.*)?$/

describe('the overview', () => {
  it('The overview shows name, dates, question, tags, and the description in paragraphs (OVER-01, OVER-02)', async () => {
    await page.goto('/Tides/overview')
    await page.getByRole('heading', { name: 'Tides', level: 1 }).waitFor()
    const text = await page.getByRole('main').innerText()
    for (const part of ['Created', 'Updated', 'Do tides wake sleepers?', 'sea', 'sleep']) expect(text).toContain(part)
    for (const part of ['First part.', 'Second part.'])
      expect(await page.getByRole('paragraph').filter({ hasText: part }).allInnerTexts()).toEqual([part])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
  })

  it.each([
    ['Documents', '0', '/Tides/documents'],
    ['Feeds', '0', '/Tides/feed'],
    ['Reports', '0', '/Tides/reports'],
  ])(
    'The overview has the tile %s with a count and a link (OVER-03, OVER-04, OVER-05, REP-04)',
    async (name, count, path) => {
      await page.goto('/Tides/overview')
      const tile = page.getByRole('main').getByRole('link').filter({ hasText: name }).filter({ hasText: count })
      expect(await tile.first().getAttribute('href')).toBe(path)
    },
  )

  it("'Visit Discover' on the overview opens the recommendations (OVER-06)", async () => {
    await page.goto('/Tides/overview')
    await page.getByRole('heading', { name: 'Recommended Research' }).waitFor()
    expect(await page.getByRole('link', { name: 'Visit Discover' }).getAttribute('href')).toBe('/Tides/discover')
  })

  it('The overview edits the project, and reports when that fails (OVER-07, MSG-03)', async () => {
    await page.goto('/Tides/overview')
    await fail('PATCH', /\/api\/projects\/[^/]+$/)
    await button('Edit').click()
    await page.getByLabel('Research question').fill('Do tides wake anybody?')
    await button('Save Changes').click()
    expect(await notice('Error updating project')).toContain('The disk is full.')
    await page.unrouteAll()
    await button('Save Changes').click()
    await page.getByText('Do tides wake anybody?').first().waitFor()
  })

  it('The overview asks before it deletes the project, and reports when that fails (OVER-08, MSG-04)', async () => {
    await page.goto('/Tides/overview')
    await fail('DELETE', /\/api\/projects\/[^/]+$/)
    await button('Delete').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    expect((await ada.fetch(api.project(project))).status).toBe(200)
    await button('Delete').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete project' }).click()
    expect(await notice('Error deleting project')).toContain('The disk is full.')
  })
})

describe('the list of projects', () => {
  it("The list of projects shows 'Loading projects...' and then why they cannot be loaded (PROJ-09, MSG-01)", async () => {
    let letGo = () => {}
    const gate = new Promise<void>((open) => (letGo = open))
    await page.route(LIST, async (route) => {
      await gate
      await route.fulfill({ status: 400, json: { error: { code: 'malformed', message: 'The disk is full.' } } })
    })
    await page.goto('/projects')
    await page.getByRole('main').getByText('Loading projects...').waitFor()
    letGo()
    expect(await notice('Error fetching projects')).toContain('The disk is full.')
    await clickAfterFailure(page, button('Retry'))
    await page.getByRole('article', { name: 'Tides' }).waitFor()
  })

  it('The list of projects reports a missing network, and a dialog returns the focus to its button (MSG-02, MSG-07)', async () => {
    await page.goto('/projects')
    const card = page.getByRole('article', { name: 'Tides' })
    // The dialog is a separate chunk, which is fetched when it is first opened.
    await button('New Project').first().click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await card.waitFor()
    await page.context().setOffline(true)
    await card.getByRole('button', { name: 'Delete' }).click()
    expect(await notice('Error checking documents')).toContain('The server cannot be reached.')
    await button('New Project').first().press('Enter')
    await page.getByLabel('Name').fill('Currents')
    await page.getByLabel('Name').press('Enter')
    expect(await notice('Error creating project')).toContain('The server cannot be reached.')
    await page.context().setOffline(false)
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect.poll(focused).toBe('New Project')
    await card.getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByRole('alertdialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Delete')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search documents, projects, pages and actions').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Delete')
  })

  it('The form reports when a project or a tag of it cannot be created (MSG-02, MSG-62)', async () => {
    await page.goto('/projects')
    await button('New Project').first().click()
    await page.getByLabel('Name').fill('Currents')
    await fail('POST', LIST)
    await button('Create Project').click()
    expect(await notice('Error creating project')).toContain('The disk is full.')
    await page.unrouteAll()
    await fail('POST', LIST, { message: 'A tag is too long.', fields: { 'tags.0': 'Too long' } }, 422)
    await button('Create Project').click()
    expect(await notice('Error creating tag')).toContain('A tag is too long.')
  })

  it('The form reports when the tags cannot be loaded (MSG-61)', async () => {
    await fail('GET', /\/api\/tags$/, {}, 400)
    await page.goto('/projects')
    await button('New Project').first().click()
    expect(await notice('Error fetching tags')).toContain('The disk is full.')
  })
})

describe('accounts', () => {
  it("The app shows 'Error signing out' with the reason when signing out fails (MSG-25)", async () => {
    await page.goto('/projects')
    await page.route(`**${api.signOut()}`, (route) =>
      route.fulfill({ status: 500, json: { message: 'The disk is full.' } }),
    )
    await button('User menu').click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    expect(await notice('Error signing out')).toContain('The disk is full.')
    await page.unrouteAll()
  })

  it("The sign-in page shows 'No session after sign in' without a session (MSG-22)", async () => {
    await page.context().clearCookies()
    await page.goto('/auth')
    await page.route(`**${api.signIn()}`, (route) => route.fulfill({ status: 200, json: {} }))
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password').fill(ada.password)
    await button('Sign In').click()
    expect(await notice('Authentication failed')).toContain('No session after sign in')
  })
})
