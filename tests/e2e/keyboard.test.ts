import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, newPage, openBrowser } from '#tests/helpers/browser.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let page: Page
beforeAll(async () => {
  const ada = await signUp(server.url)
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Tides' } })
  await ada.json(api.projects(), { body: { name: 'Winds' } })
  for (const name of ['moon', 'harbour', 'tasks'])
    await ada.upload(data.id, new File([onePagePdf([name])], `${name}.pdf`, { type: 'application/pdf' }))
  browser = await openBrowser()
  page = (await newPage(browser, { baseURL: server.url })).page
  // Uses the keyboard only: Enter submits the form.
  await page.goto('/auth')
  await page.getByLabel('Email').focus()
  await page.keyboard.type(ada.email)
  await page.getByLabel('Password', { exact: true }).focus()
  await page.keyboard.type(ada.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/projects')
})
/** Before each test, opens the projects page. The tests use only the keyboard; at first no element has the focus. */
beforeEach(async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/projects')
  await page.getByRole('article', { name: 'Tides' }).waitFor()
})
afterAll(() => closeContexts(browser))

const palette = () => page.getByRole('dialog', { name: 'Search' })
const option = (name: string) => palette().getByRole('option', { name })
const focused = () =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

const searchIsFocused = async () => {
  const field = palette().getByRole('combobox', { name: 'Search' })
  await field.waitFor()
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
}

describe('the command palette', () => {
  it('The command palette opens with Ctrl K and with Cmd K, and closes with Escape and the same keys', async () => {
    for (const keys of ['Control+k', 'Meta+k']) {
      await page.keyboard.press(keys)
      await palette().waitFor()
      await page.keyboard.press('Escape')
      await palette().waitFor({ state: 'detached' })
    }
    await page.keyboard.press('Control+k')
    await palette().waitFor()
    await page.keyboard.press('Control+k')
    await palette().waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/projects')
  })

  it('The command palette opens a project, and then a document of it', async () => {
    await page.keyboard.press('Control+k')
    await searchIsFocused()
    await page.keyboard.type('tid')
    await option('Tides').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/Tides/overview')
    await page.keyboard.press('Control+k')
    await searchIsFocused()
    await page.keyboard.type('harb')
    await option('harbour.pdf').waitFor()
    expect(await option('moon.pdf').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/Tides/document/*')
  })

  it('The command palette shows pages before documents if the typed text begins the name of a page', async () => {
    await page.goto('/Tides/overview')
    await page.getByRole('heading', { name: 'Tides', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await searchIsFocused()
    await page.keyboard.type('ask')
    await option('tasks.pdf').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/Tides/ask')
  })

  it('The command palette opens a page with the arrow keys', async () => {
    await page.keyboard.press('Control+k')
    await searchIsFocused()
    await page.keyboard.type('pr')
    await option('Profile').waitFor()
    while ((await palette().getByRole('option', { selected: true }).innerText()) !== 'Profile')
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/profile')
    expect(await palette().count()).toBe(0)
  })

  it('The command palette changes the color scheme', async () => {
    await page.keyboard.press('Control+k')
    await searchIsFocused()
    await page.keyboard.type('dark')
    await option('Dark mode').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.locator('html.dark').waitFor()
    await page.getByText('Settings saved').waitFor()
    await page.keyboard.press('Control+k')
    await searchIsFocused()
    await page.keyboard.type('theme')
    await option('Light mode').waitFor()
    expect(await option('Dark mode').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.locator('html:not(.dark)').waitFor()
  })

  it('The command palette offers the search over passages when nothing else is found (LIB-01)', async () => {
    await page.keyboard.press('Control+k')
    await searchIsFocused()
    await page.keyboard.type('xyzzy')
    await option('Search passages for “xyzzy”').waitFor()
    await expect.poll(() => palette().getByRole('option').count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=xyzzy')
  })
})

describe('/', () => {
  it('The key / focuses the search of the screen', async () => {
    await page.goto('/Tides/documents')
    await page.getByPlaceholder('Search documents...').waitFor()
    await page.keyboard.press('/')
    expect(await focused()).toBe('Search documents')
    await page.keyboard.type('a/b')
    expect(await page.getByPlaceholder('Search documents...').inputValue()).toBe('a/b')
  })

  it('The key / opens the global search on a screen without a search', async () => {
    await page.goto('/settings')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.keyboard.press('/')
    await palette().waitFor()
    await searchIsFocused()
    await page.keyboard.press('Escape')
  })
})

describe('?', () => {
  it('The key ? lists the valid keys of the screen', async () => {
    await page.goto('/Tides/documents')
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.getByText('Search the documents of this project').waitFor()
    expect(await keys.getByText('Send the question').count()).toBe(0)
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
  })

  it('The key ? types a character in a field', async () => {
    await page.goto('/settings')
    await page.getByLabel('Full Name').fill('')
    await page.keyboard.type('Who?')
    expect(await page.getByLabel('Full Name').inputValue()).toBe('Who?')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('the Tab key', () => {
  it('The first press of the Tab key reaches a link that skips the header', async () => {
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
  })

  it('The focus returns from a menu to the button that opened it', async () => {
    await page.getByRole('button', { name: 'User menu' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('User menu')
  })
})

describe('the compact layout', () => {
  it('The compact layout has links and search in the side menu below 768 px and in the header above (NAV-16, NAV-17, LIB-01, CONST-07)', async () => {
    const menu = page.getByRole('button', { name: 'Open menu' })
    const links = page.getByRole('navigation', { name: 'Project' })
    await page.setViewportSize({ width: 768, height: 800 })
    await page.goto('/Tides/overview')
    await links.waitFor()
    expect(await menu.isVisible()).toBe(false)
    await page.setViewportSize({ width: 767, height: 800 })
    await menu.waitFor()
    expect(await links.isVisible()).toBe(false)
    await menu.click()
    const side = page.getByRole('dialog', { name: 'Menu' })
    await side.getByRole('link', { name: 'Discover' }).waitFor()
    await side.getByRole('button', { name: 'Search' }).click()
    await side.waitFor({ state: 'detached' })
    await page.waitForURL('**/Tides/search')
    await page.getByLabel('Search all passages').waitFor()
  })
})
