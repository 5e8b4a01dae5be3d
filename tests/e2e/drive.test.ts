import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { api, pages } from '#shared/paths.ts'
import { accessibilityProblems, newPage, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { type DriveServer, startDriveServer } from '#tests/helpers/drive-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let drive: DriveServer
let browser: Browser
let page: Page
let ada: Client
let project: string
beforeAll(async () => {
  drive = await startDriveServer(new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url))))
  // The page's policy lets nothing out but the move to Google's own page.
  server = await startServer({ env: drive.env })
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Waves' } })).data.id
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
  await page.goto('/projects')
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  await drive.stop()
})
beforeEach(() => drive.reset())

const notice = async (words: string) => {
  const region = page.getByRole('region', { name: 'Notifications' }).filter({ hasText: words })
  await region.waitFor()
  expect(await region.innerText()).toContain(words)
}
const dialog = () => page.getByRole('dialog', { name: 'Select PDF from Google Drive' })
const button = (name: string) => dialog().getByRole('button', { name, exact: true })
const documents = async () =>
  (
    await ada.json<{ data: { filename: string; status: string; text_warning: string | null }[] }>(
      api.documents({ project_id: project }),
    )
  ).data

async function open() {
  await page.goto('/Waves/documents')
  await page.getByRole('button', { name: 'Import from Google Drive' }).click()
  await dialog().waitFor()
}

it('asks Google with state and PKCE and shows the drive (DRIVE-03, DRIVE-06)', async () => {
  await open()
  const asked = drive.seen.find(({ path }) => path === '/auth')!.query
  expect(asked.get('code_challenge_method')).toBe('S256')
  expect(asked.get('state')).toMatch(/^[\w-]{43}$/)
  expect(asked.get('redirect_uri')).toBe(`${server.url}/auth/callback/google`)
  expect(await button('Back').count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  // The token is in the page's memory alone.
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('token-')
})

it('opens folders, says when one is empty, and goes back (DRIVE-07, DRIVE-08, DRIVE-09)', async () => {
  await button('Empty').click()
  await dialog().getByText('No files found in this folder').waitFor()
  await button('Back').click()
  await button('Papers').click()
  await button('paper.pdf').waitFor()
  expect(await dialog().getByRole('listitem').count()).toBe(4)
})

it('imports several files one after the other and keeps what arrived when one fails (MSG-70)', async () => {
  await dialog().getByLabel('Select paper.pdf').check()
  await dialog().getByLabel('Select broken.pdf').check()
  await button('Import 2 files').click()
  await dialog().getByText('Invalid file data received').waitFor()
  await dialog().getByText('Imported').waitFor()
  expect(await documents()).toMatchObject([{ filename: 'paper.pdf', status: 'pending' }])
})

it('imports a file by a click, then goes to / (DRIVE-07, DRIVE-10)', async () => {
  await button('Second paper').click()
  await notice('Second paper uploaded successfully')
  await page.waitForURL('**/projects')
  expect((await documents()).map(({ filename }) => filename)).toContain('Second paper.pdf')
})

it('says when an imported PDF holds no text (MSG-71)', async () => {
  await open()
  await button('Papers').click()
  await button('scan.pdf').click()
  await notice('No text content extracted from PDF')
  await page.waitForURL('**/projects')
  expect((await documents()).find(({ filename }) => filename === 'scan.pdf')?.text_warning).toBe('scan')
})

it('goes to / when it is closed (DRIVE-10)', async () => {
  await open()
  await page.keyboard.press('Escape')
  await page.waitForURL('**/projects')
  await dialog().waitFor({ state: 'detached' })
  expect(await dialog().count()).toBe(0)
})

it('says what is wrong when a folder cannot be listed, and tries again (MSG-68, MSG-73)', async () => {
  await open()
  drive.misbehave({ path: '/drive/v3/files', status: 403, body: '{}' })
  await button('Papers').click()
  await notice('Failed to fetch Google Drive files')
  await button('Retry').click()
  await button('paper.pdf').waitFor()
  drive.expireTokens()
  await button('paper.pdf').click()
  await notice('Not authenticated with Google Drive')
})

it('refuses an answer that this tab did not ask for (DRIVE-04)', async () => {
  await page.goto(`${pages.driveCallback()}?code=stolen&state=forged`)
  await notice('Invalid authentication state. Please try again.')
  await page.getByRole('button', { name: 'Back to projects' }).click()
  await page.waitForURL('**/projects')
})

it('says when Google sent no code (DRIVE-05)', async () => {
  drive.misbehave({ path: '/auth', status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Consent</p>' })
  await page.goto('/Waves/documents')
  await page.getByRole('button', { name: 'Import from Google Drive' }).click()
  await page.getByText('Consent').waitFor()
  const state = new URL(page.url()).searchParams.get('state')
  await page.goto(`${server.url}${pages.driveCallback()}?state=${state}&error=access_denied`)
  await notice('No authorization code received from Google')
})

it('asks for a project when none is selected (MSG-69)', async () => {
  await page.goto('/projects')
  const asked = { state: 'mine', verifier: 'v', projectId: null }
  await page.evaluate((value) => {
    localStorage.removeItem('lectern.project')
    sessionStorage.setItem('lectern.drive', JSON.stringify(value))
  }, asked)
  await page.goto(`${pages.driveCallback()}?code=code-without-pkce&state=mine`)
  await button('Papers').click()
  await button('paper.pdf').click()
  await notice('No Project Selected')
})

it('opens without a session, and asks to sign in (DRIVE-01)', async () => {
  const other = await newPage(browser, { baseURL: server.url })
  await other.page.goto(`${pages.driveCallback()}?code=x&state=y`)
  await other.page.getByRole('heading', { name: 'No active session' }).waitFor()
  expect(await other.page.locator('main').getByRole('link', { name: 'Sign In' }).isVisible()).toBe(true)
  await other.context.close()
})
