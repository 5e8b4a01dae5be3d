import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import type { Profile } from '#shared/contract/profiles.ts'
import type { Site } from '#shared/contract/site.ts'
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
  page = await signedIn()
})
/** Before each test, stores the default settings and opens the settings page with a light color scheme. */
beforeEach(async () => {
  await page.unrouteAll()
  await page.emulateMedia({ colorScheme: 'light' })
  await ada.json(api.profile(ada.userId), { method: 'PATCH', body: DEFAULTS })
  await page.goto('/settings')
  await tab('General').waitFor()
})
afterAll(() => closeContexts(browser))

/** Opens the projects page in a new browser context, signed in as Ada. */
async function signedIn(options: { dark?: boolean } = {}): Promise<Page> {
  const { page } = await signedInPage(browser, ada, options)
  await page.goto('/projects')
  return page
}

const DEFAULTS = { theme: 'light', font_size: 'medium', email_notifications: true }
const saved = async () => (await ada.json<{ data: Profile }>(api.profile(ada.userId))).data
const notice = () => page.getByRole('region', { name: 'Notifications' }).getByText('Settings saved', { exact: true })
const tab = (name: string) => page.getByRole('tab', { name, exact: true })
const isDark = (on: Page) => on.evaluate(() => document.documentElement.classList.contains('dark'))

/** Runs `act` and waits until the server has stored the change and the page shows 'Settings saved'. */
async function saving(act: () => Promise<void>) {
  const answered = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await act()
  expect((await answered).status()).toBe(200)
  await notice().waitFor()
}

describe('settings', () => {
  it("The settings have the tabs 'General', 'Notifications', 'Appearance', 'API keys', 'Zotero' and 'About' (SET-01)", async () => {
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      'General',
      'Notifications',
      'Appearance',
      'API keys',
      'Zotero',
      'About',
    ])
  })

  it("The settings show the e-mail read-only, and save the 'Full Name' (SET-02, SET-05, SET-06, SET-07)", async () => {
    expect(await page.getByLabel('Email').inputValue()).toBe(ada.email)
    expect(await page.getByLabel('Email').isEditable()).toBe(false)
    await page.getByLabel('Full Name').fill('  Ada Byron ')
    await saving(() => page.getByRole('button', { name: 'Save Changes' }).click())
    expect((await saved()).full_name).toBe('Ada Byron')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menu').getByText('Ada Byron', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    expect(await page.getByLabel('Full Name').inputValue()).toBe('Ada Byron')
  })

  it("The settings save the 'Email Notifications' switch (SET-03, SET-06)", async () => {
    await tab('Notifications').click()
    const mail = page.getByRole('switch', { name: 'Email Notifications' })
    expect(await mail.isChecked()).toBe(true)
    await saving(() => mail.click())
    await page.reload()
    await tab('Notifications').click()
    expect(await mail.isChecked()).toBe(false)
    expect((await saved()).email_notifications).toBe(false)
  })

  it("The settings apply 'Dark Mode' and 'Font Size' at once and after a reload (SET-04, SET-06, SET-07, CONST-38)", async () => {
    await tab('Appearance').click()
    const sizeOf = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
    const medium = await sizeOf()
    expect(await isDark(page)).toBe(false)
    await saving(() => page.getByRole('switch', { name: 'Dark Mode' }).click())
    expect(await isDark(page)).toBe(true)
    expect(await page.getByRole('radiogroup', { name: 'Font Size' }).getByRole('radio').allInnerTexts()).toEqual([
      'Small',
      'Medium',
      'Large',
    ])
    await saving(() => page.getByRole('radio', { name: 'Large' }).click())
    expect(await sizeOf()).toBeGreaterThan(medium)
    await saving(() => page.getByRole('radio', { name: 'Small' }).click())
    expect(await sizeOf()).toBeLessThan(medium)
    await page.reload()
    expect([await isDark(page), (await sizeOf()) < medium]).toEqual([true, true])
  })

  it('The settings apply on another device of the user (SET-06)', async () => {
    await ada.json(api.profile(ada.userId), { method: 'PATCH', body: { theme: 'dark', font_size: 'small' } })
    const other = await signedIn()
    await other.locator('html.dark[data-font-size=small]').waitFor()
    expect(await other.evaluate(() => localStorage.getItem('lectern.theme'))).toBe('dark')
    await other.context().close()
  })

  it('The settings use the color scheme of the system on request, and follow its changes while the page is open', async () => {
    await tab('Appearance').click()
    await saving(() => page.getByRole('switch', { name: 'Follow the system' }).click())
    expect((await saved()).theme).toBe('system')
    await expect.poll(() => isDark(page)).toBe(false)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => isDark(page)).toBe(true)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => isDark(page)).toBe(false)
  })

  it('The settings keep a typed name while another tab is open', async () => {
    await page.getByLabel('Full Name').fill('Ada Lovelace')
    await tab('Appearance').click()
    await tab('General').click()
    expect(await page.getByLabel('Full Name').inputValue()).toBe('Ada Lovelace')
    await saving(() => page.getByRole('button', { name: 'Save Changes' }).click())
    expect((await saved()).full_name).toBe('Ada Lovelace')
  })

  it('The settings name the version and the commit of the server', async () => {
    const own = await signedIn()
    await own.goto('/settings')
    const { version, commit } = (await ada.json<{ data: Site }>(api.site())).data
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    const words = commit ? `Version ${version} · commit ${commit.slice(0, 12)}` : `Version ${version}`
    await own.getByText(words, { exact: true }).waitFor()
    expect(await accessibilityProblems(own)).toEqual([])
    await own.context().close()
  })

  it('The settings apply a switch before the server has answered (SET-07)', async () => {
    let letGo = () => {}
    const gate = new Promise<void>((open) => (letGo = open))
    await page.route(`**${api.profile('*')}`, async (route) => {
      if (route.request().method() === 'PATCH') await gate
      await route.fallback()
    })
    await tab('Appearance').click()
    await page.getByRole('switch', { name: 'Dark Mode' }).click()
    await page.getByRole('switch', { name: 'Dark Mode', checked: true }).waitFor()
    expect(await isDark(page)).toBe(true)
    await saving(async () => letGo())
    await page.unrouteAll()
    await saving(() => page.getByRole('switch', { name: 'Dark Mode' }).click())
    expect([await isDark(page), (await saved()).theme]).toEqual([false, 'light'])
  })

  it('The settings report a failure and revert the change (MSG-13)', async () => {
    await page.route(`**${api.profile('*')}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await tab('Appearance').click()
    await page.getByRole('radio', { name: 'Large' }).click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Error updating profile').waitFor()
    expect((await saved()).font_size).toBe('medium')
    expect(await page.getByRole('radio', { name: 'Medium' }).isChecked()).toBe(true)
    expect(await page.locator('html').getAttribute('data-font-size')).not.toBe('large')
  })
})
