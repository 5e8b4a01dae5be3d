import { unzipSync } from 'fflate'
import type { Browser } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { AVATAR_MAX_BYTES } from '#shared/contract/pictures.ts'
import type { Profile } from '#shared/contract/profiles.ts'
import {
  accessibilityProblems,
  bytesOf,
  clickAfterFailure,
  closeContexts,
  newPage,
  openBrowser,
  type TestPage,
} from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type Client, signIn, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { codeFor } from '#tests/helpers/totp.ts'

/** Timeout of polls in ms. A busy machine needs more time than the default. */
const SOON = { timeout: 60_000 }

let server: TestServer
let browser: Browser
let admin: Client
let ada: Client
let on: TestPage
beforeAll(async () => {
  server = await startServer()
  // The first account of a server is its admin.
  admin = await signUp(server.url, { email: 'root@example.org' })
  ada = await signUp(server.url, { email: 'ada@example.org' })
  browser = await openBrowser()
  on = await signedIn(ada)
})
beforeEach(async () => {
  await on.page.unrouteAll()
  await on.page.goto('/profile')
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

/** Signs a user in on the sign-in screen of a new browser context, and opens the profile page. */
async function signedIn({ email, password }: { email: string; password: string }): Promise<TestPage> {
  const opened = await newPage(browser, { baseURL: server.url })
  const { page } = opened
  await page.goto('/auth?back=%2Fprofile')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByRole('heading', { name: 'Your Profile', level: 1 }).waitFor()
  return opened
}

const button = (name: string) => on.page.getByRole('button', { name, exact: true })
const notice = (words: string) => on.page.getByRole('region', { name: 'Notifications' }).getByText(words).waitFor()
const saved = async () => (await ada.json<{ data: Profile }>(api.profile(ada.userId))).data

/** Clicks 'Upload picture' and selects a file. */
async function choose(name: string, mimeType: string, buffer: Buffer) {
  const chooser = on.page.waitForEvent('filechooser')
  await button('Upload picture').click()
  await (await chooser).setFiles({ name, mimeType, buffer })
}

describe('Your Profile', () => {
  it("The profile page has the heading 'Your Profile', is accessible, and has the 'Admin' badge for admins only (PROF-01, PROF-04)", async () => {
    const { page } = on
    await button('Sign out everywhere else').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await page.getByRole('main').getByText('Admin', { exact: true }).count()).toBe(0)
    const other = await signedIn(admin)
    expect(await other.page.getByRole('main').getByText('Admin', { exact: true }).isVisible()).toBe(true)
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  it('The profile page refuses a picture of another type and a picture that is too large (PROF-05, PROF-06, MSG-15)', async () => {
    await choose('notes.txt', 'text/plain', Buffer.from('no picture'))
    await notice('Error uploading avatar')
    await notice('Please upload an image file (JPEG, PNG, etc.)')
    await choose('large.png', 'image/png', Buffer.alloc(AVATAR_MAX_BYTES + 1))
    await notice('Please upload an image smaller than 2MB')
    await choose('broken.png', 'image/png', Buffer.from('called a picture'))
    await notice('Please upload an image file (JPEG, PNG, etc.)')
    expect((await saved()).avatar_url).toBe(null)
  })

  it('The profile page uploads a cropped picture and removes it (PROF-02, MSG-17, MSG-18)', async () => {
    const { page } = on
    const stripes = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#2a6f97' } })
      .composite([
        { input: { create: { width: 150, height: 300, channels: 3, background: '#c0392b' } }, left: 0, top: 0 },
      ])
      .jpeg()
      .toBuffer()
    await choose('me.jpg', 'image/jpeg', stripes)
    const dialog = page.getByRole('dialog', { name: 'Crop picture' })
    const circle = dialog.getByLabel('Part of the picture')
    await circle.waitFor()
    await expect.poll(() => button('Use picture').isEnabled(), SOON).toBe(true)
    // The cropper has its own styles, which place the circle over the picture.
    expect(await circle.evaluate((element) => getComputedStyle(element).position)).toBe('absolute')
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByLabel('Zoom').fill('1.5')
    await circle.press('ArrowLeft')
    await button('Use picture').click()
    await notice('Avatar uploaded')
    const { avatar_url: url } = await saved()
    const kept = sharp(Buffer.from(await (await ada.fetch(url!)).arrayBuffer()))
    const { width, height } = await kept.metadata()
    expect(width).toBe(height)
    // The middle of the picture remains, and the red edge is cut off.
    expect((await kept.stats()).dominant.b).toBeGreaterThan(100)
    const picture = page.getByRole('main').locator('[data-slot=avatar] img')
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), SOON).toBeGreaterThan(0)
    await button('Remove picture').click()
    await notice('Avatar removed')
    await button('Upload picture').waitFor()
    expect((await saved()).avatar_url).toBe(null)
  })

  it('The profile page shows why a picture could not be removed, and why the profile could not be read (MSG-14, MSG-16)', async () => {
    const { page } = on
    const png = await sharp({ create: { width: 30, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await choose('small.png', 'image/png', png)
    await expect.poll(() => button('Use picture').isEnabled(), SOON).toBe(true)
    await button('Use picture').click()
    await notice('Avatar uploaded')
    const broken = { status: 500, json: { error: { code: 'internal', message: 'The shelf fell over.' } } }
    await page.route(`**${api.profileAvatar('*')}`, (route) => route.fulfill(broken))
    await button('Remove picture').click()
    await notice('Error removing avatar')
    await notice('The shelf fell over.')
    await page.unrouteAll()
    await page.route(`**${api.profile('*')}`, (route) => route.fulfill(broken))
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await notice('Error refreshing profile')
    await page.unrouteAll()
    // The cached profile stays.
    await button('Remove picture').click()
    await notice('Avatar removed')
  })

  it('The sign-up reports an account whose profile cannot be created (MSG-12, MSG-21)', async () => {
    const { page, context } = await newPage(browser, { baseURL: server.url })
    const notified = (words: string) => page.getByRole('region', { name: 'Notifications' }).getByText(words).waitFor()
    const failed = { status: 500, json: { error: { code: 'internal', message: 'Profile creation failed' } } }
    await page.route(`**${api.signUp()}`, async (route) => {
      await route.fetch()
      await route.fulfill(failed)
    })
    await page.goto('/auth')
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await page.getByLabel('Email').fill('eve@example.org')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
    await notified('Profile creation failed')
    await page.route(`**${api.profile('*')}`, (route) => route.fulfill(failed))
    await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor()
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await notified('Error creating profile')
    await page.waitForURL('**/projects')
    expect(await page.getByLabel('Email').count()).toBe(0)
    await context.close()
  })

  it('The app checks its session every 5 minutes and when its tab becomes visible, and never while hidden (AUTH-20)', async () => {
    const { page, context } = await newPage(browser, { baseURL: server.url })
    await page.clock.install()
    await context.addCookies(await on.context.cookies())
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith(api.session())) asked += 1
    })
    const show = (state: 'visible' | 'hidden') =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await page.goto('/profile')
    await page.getByRole('heading', { name: 'Your Profile', level: 1 }).waitFor()
    const soFar = asked
    await page.clock.runFor(5 * 60_000)
    await expect.poll(() => asked, SOON).toBe(soFar + 1)
    await show('hidden')
    await page.clock.runFor(30 * 60_000)
    expect(asked).toBe(soFar + 1)
    await show('visible')
    await expect.poll(() => asked, SOON).toBe(soFar + 2)
    await context.close()
  })

  it('The profile page edits full name, display name and bio (PROF-03, MSG-19)', async () => {
    const { page } = on
    await page.getByLabel('Full name').fill('Ada Lovelace')
    await page.getByLabel('Display name').fill('Ada')
    await page.getByLabel('Bio').fill('Notes on the engine')
    const projects = page.getByRole('banner').getByRole('link', { name: 'Projects', exact: true })
    await projects.click()
    const question = page.getByRole('alertdialog', { name: 'Discard changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'hidden' })
    await button('Save Changes').click()
    await notice('Profile updated')
    expect(await saved()).toMatchObject({
      full_name: 'Ada Lovelace',
      display_name: 'Ada',
      bio: 'Notes on the engine',
    })
    await projects.click()
    await page.waitForURL('**/projects')
    await page.goto('/profile')
    await expect.poll(() => page.getByLabel('Full name').inputValue(), SOON).toBe('Ada Lovelace')
  })

  it('The profile page sets up an authenticator app by a QR code, shows the backup codes once, and turns it off (AUTH-25)', async () => {
    const { page } = on
    await button('Set up').click()
    const qr = page.getByRole('img', { name: 'QR code for your authenticator app' })
    await qr.waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await button('Cancel').click()
    await button('Set up').click()
    // Reads the QR code from a screenshot, also in dark mode, as a camera does. It contains the secret of the server.
    await page.emulateMedia({ colorScheme: 'dark' })
    const { data, info } = await sharp(await qr.screenshot())
      .raw()
      .toBuffer({ resolveWithObject: true })
    await page.emulateMedia({ colorScheme: 'light' })
    const seen = new URL(decodeQR({ data, width: info.width, height: info.height }))
    expect(seen.protocol).toBe('otpauth:')
    const secret = seen.searchParams.get('secret')!
    await page.getByRole('textbox', { name: 'Code' }).fill('000000')
    await button('Turn on').click()
    await page.getByText('This code is wrong').waitFor()
    await page.getByRole('textbox', { name: 'Code' }).fill(codeFor(secret))
    await button('Turn on').click()
    await notice('Second factor turned on')
    const codes = page.getByRole('region', { name: 'Backup codes' }).getByRole('listitem')
    expect(await codes.count()).toBe(10)
    // As on a page without HTTPS.
    await page.evaluate(() => {
      Object.defineProperty(window, 'isSecureContext', { value: false })
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
    })
    await button('Copy').click()
    await notice('The browser allows this only on pages with HTTPS.')
    await button('I have saved them').click()
    await page.getByText('Authenticator app, 10 backup codes left.').waitFor()
    await button('Turn off').click()
    await page
      .getByRole('alertdialog', { name: 'Turn off the second factor?' })
      .getByRole('button', { name: 'Turn off' })
      .click()
    await notice('Second factor turned off')
    await button('Set up').waitFor()
  })

  it('The profile page lists the sessions of the user, and ends another session (AUTH-21, AUTH-22)', async () => {
    const { page } = on
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    await sessions.filter({ hasText: 'This session' }).waitFor()
    const count = await sessions.count()
    const elsewhere = await signedIn(ada)
    await page.reload()
    await expect.poll(() => sessions.count(), SOON).toBe(count + 1)
    const chrome = page.getByRole('button', { name: 'Sign out Chrome on Linux' })
    await chrome.scrollIntoViewIfNeeded()
    await chrome.click()
    await notice('Session ended')
    await expect.poll(() => sessions.count(), SOON).toBe(count)
    await elsewhere.page.goto('/settings')
    await elsewhere.page.waitForURL('**/auth**')
    await elsewhere.context.close()
  })

  it('The profile page asks for the password before it ends sessions, if the sign-in was long ago', async () => {
    const { page } = on
    const other = await signIn(server.url, ada)
    await page.reload()
    await inDatabase(server, "update session set proved_at = now() - interval '1 hour' where user_id = $1", [
      ada.userId,
    ])
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    const password = dialog.getByLabel('Your password')
    await button('Sign out everywhere else').click()
    await password.waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await notice('Error signing out')
    expect((await other.fetch(api.projects())).status).toBe(200)
    await button('Sign out everywhere else').click()
    await password.fill('not the password')
    await password.press('Enter')
    await dialog.getByText('The password is not right.').waitFor()
    await password.fill(ada.password)
    await password.press('Enter')
    await notice('Signed out everywhere else')
    await dialog.waitFor({ state: 'hidden' })
    expect((await other.fetch(api.projects())).status).toBe(401)
    ada = await signIn(server.url, ada)
  })

  it('The profile page exports all data as one archive', async () => {
    const download = on.page.waitForEvent('download')
    await on.page.getByRole('link', { name: 'Export all data' }).click()
    const archive = await download
    expect(archive.suggestedFilename()).toMatch(/\.zip$/)
    const files = unzipSync(await bytesOf(archive))
    expect(Object.keys(files)).toContain('manifest.json')
  })

  it('The profile page changes the password, which ends every other session', async () => {
    const { page } = on
    await page.getByLabel('Current password').fill(ada.password)
    await page.getByLabel('New password').fill('abc')
    await button('Change password').click()
    await page.getByText('Password must be at least 6 characters long').waitFor()
    await expect.poll(() => page.getByLabel('New password').getAttribute('aria-invalid'), SOON).toBe('true')
    await page.getByLabel('New password').fill('a new password')
    await button('Change password').click()
    await notice('Password changed')
    ada.password = 'a new password'
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    await expect.poll(() => sessions.count(), SOON).toBe(1)
  })

  it('The profile page offers no password change to a user of another provider, and Retry when the account cannot be read', async () => {
    const { page } = on
    const data = { projects: 0, documents: 0, owned_projects: [], has_password: false }
    await page.route(`**${api.account()}`, (route) => route.fulfill({ json: { data } }))
    await page.goto('/profile')
    await page.getByText('You sign in with another provider').waitFor()
    expect(await page.getByLabel('Current password').count()).toBe(0)
    await page.unrouteAll()
    await page.route(`**${api.account()}`, (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'The disk is full.' } } }),
    )
    await page.goto('/profile')
    await button('Delete account').click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByText('The disk is full.').waitFor()
    await clickAfterFailure(page, dialog.getByRole('button', { name: 'Retry' }))
    await dialog.getByLabel('Password').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  it('The profile page deletes the account after the password was entered, and leads to /auth', async () => {
    const { page } = on
    await button('Delete account').click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByLabel('Password').fill(ada.password)
    await dialog.getByText('0 projects').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await notice('Account deleted')
    await page.waitForURL('**/auth**')
    expect(new URL(page.url()).pathname).toBe('/auth')
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    // The browser logs a refused call, here that with a wrong code.
    expect(on.problems.filter((line) => !/status of (?:403|422|500)/.test(line))).toEqual([])
    await button('Sign In').click()
    await notice('Authentication failed')
  })
})
