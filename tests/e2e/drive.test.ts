import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { api, pages } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, newPage, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
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
  // The content policy of the page permits no other requests; only the navigation to Google's page leaves the site.
  server = await startServer({ env: drive.env })
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Waves' } })).data.id
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
afterAll(async () => {
  await closeContexts(browser)
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

it('The Drive button sends state and PKCE to Google and shows the files (DRIVE-03, DRIVE-06)', async () => {
  await open()
  const asked = drive.seen.find(({ path }) => path === '/auth')!.query
  expect(asked.get('code_challenge_method')).toBe('S256')
  expect(asked.get('state')).toMatch(/^[\w-]{43}$/)
  expect(asked.get('redirect_uri')).toBe(`${server.url}/auth/callback/google`)
  expect(await button('Back').count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  // The token is only in the memory of the page.
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('token-')
})

it('The Drive dialog opens folders, reports an empty folder, and goes back (DRIVE-07, DRIVE-08, DRIVE-09, DRIVE-11)', async () => {
  await open()
  await button('Empty').click()
  await dialog().getByText('No files found in this folder').waitFor()
  await button('Back').click()
  await button('Papers').click()
  await button('paper.pdf').waitFor()
  expect(await dialog().getByRole('listitem').count()).toBe(4)
})

/**
 * Aborts the first connection to the event stream on the page of Google Drive. Returns a function that waits until the page has
 * connected again and, as a consequence, has requested the projects again.
 */
async function loseEvents() {
  let isLost = false
  await page.route('**/api/events*', async (route) => {
    if (isLost || !page.url().includes(pages.driveCallback())) return route.continue()
    isLost = true
    await route.abort()
  })
  let hasStarted = false
  const refetched = page.waitForResponse((response) => {
    hasStarted ||= isLost && response.url().includes('/api/events')
    return hasStarted && response.url().endsWith(api.projects())
  })
  return async () => {
    await refetched
    await page.unrouteAll({ behavior: 'wait' })
  }
}

it('The Drive dialog keeps its folder when the page refetches after a lost connection of the live events', async () => {
  const reconnected = await loseEvents()
  await open()
  await button('Papers').click()
  await button('paper.pdf').waitFor()
  await reconnected()
  expect(await button('paper.pdf').count()).toBe(1)
  await button('Back').click()
  await button('Papers').waitFor()
  expect(await page.getByText('Google Drive could not be opened').count()).toBe(0)
})

it('The Drive page sends a refused code once, also when it refetches after a lost connection', async () => {
  const reconnected = await loseEvents()
  const exchanges = () => drive.seen.filter(({ path }) => path === '/token').length
  const before = exchanges()
  drive.misbehave({ path: '/token', status: 401, body: '{"error":"invalid_client"}' })
  await page.goto('/Waves/documents')
  await page.getByRole('button', { name: 'Import from Google Drive' }).click()
  await page.getByRole('heading', { name: 'Google Drive could not be opened' }).waitFor()
  await reconnected()
  expect(exchanges()).toBe(before + 1)
  await page.getByRole('button', { name: 'Authorize again' }).click()
  await dialog().waitFor()
})

it('The Drive dialog imports several files in turn and keeps the imported files when one fails (MSG-70)', async () => {
  await open()
  await button('Papers').click()
  await dialog().getByLabel('Select paper.pdf').check()
  await dialog().getByLabel('Select broken.pdf').check()
  await button('Import 2 files').click()
  await notice('1 of 2 files imported')
  await dialog().getByText('Imported', { exact: true }).waitFor()
  expect(await page.getByText('Invalid file data received').allInnerTexts()).toHaveLength(1)
  expect(await dialog().getByRole('alert').innerText()).toBe('Invalid file data received')
  expect(await documents()).toContainEqual(expect.objectContaining({ filename: 'paper.pdf', status: 'pending' }))
})

it('The Drive dialog reports the reason once when the only file is not a PDF (MSG-70)', async () => {
  await open()
  await button('Papers').click()
  await button('broken.pdf').click()
  await notice('Invalid file data received')
  await notice('broken.pdf was not imported.')
  await dialog().getByText('Not imported', { exact: true }).waitFor()
  expect(await page.getByText('Invalid file data received').allInnerTexts()).toHaveLength(1)
})

it('The Drive dialog imports a file by a click, then opens / (DRIVE-07, DRIVE-10)', async () => {
  await open()
  await button('Papers').click()
  await button('Second paper').click()
  await notice('Second paper uploaded successfully')
  await page.waitForURL('**/projects')
  expect((await documents()).map(({ filename }) => filename)).toContain('Second paper.pdf')
})

it('The Drive dialog reports an imported PDF without text (MSG-71)', async () => {
  await open()
  await button('Papers').click()
  await button('scan.pdf').click()
  await notice('No text content extracted from PDF')
  await page.waitForURL('**/projects')
  expect((await documents()).find(({ filename }) => filename === 'scan.pdf')?.text_warning).toBe('scan')
})

it('The Drive dialog opens / when it is closed (DRIVE-10)', async () => {
  await open()
  await page.keyboard.press('Escape')
  await page.waitForURL('**/projects')
  await dialog().waitFor({ state: 'detached' })
  expect(await dialog().count()).toBe(0)
})

it('The Drive dialog reports a folder that cannot be listed, and retries (MSG-68)', async () => {
  await open()
  drive.misbehave({ path: '/drive/v3/files', status: 403, body: '{}' })
  await button('Papers').click()
  await notice('Failed to fetch Google Drive files')
  await button('Retry').click()
  await button('paper.pdf').waitFor()
})

it.each([
  ['a refused folder', { status: 403, body: '{}' }, 'Failed to fetch Google Drive files'],
  ['a request to slow down', { status: 429, headers: { 'retry-after': '120' } }, 'Google Drive asks to slow down'],
  ['a service that fails', { status: 500, times: 3 }, 'Google Drive'],
])('The Drive dialog shows the reason for %s, and offers Retry', async (_what, how, reason) => {
  await open()
  drive.misbehave({ path: '/drive/v3/files', ...how })
  await button('Papers').click()
  await dialog().getByText(reason).waitFor()
  expect(await page.getByText('An unknown error occurred').count()).toBe(0)
  expect(await button('Authorize again').count()).toBe(0)
  await button('Retry').click()
  await button('paper.pdf').waitFor()
})

it('The Drive dialog offers a new authorization when the old one has expired while browsing (MSG-73)', async () => {
  await open()
  drive.expireTokens()
  await button('Papers').click()
  await notice('Not authenticated with Google Drive')
  await dialog().getByText('Not authenticated with Google Drive').waitFor()
  expect(await button('Retry').count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await button('Authorize again').click()
  await button('Papers').click()
  await button('paper.pdf').waitFor()
})

it('The Drive dialog stops an import when the authorization has expired, and continues with a new one (MSG-73)', async () => {
  await open()
  await button('Papers').click()
  await dialog().getByLabel('Select paper.pdf').check()
  await dialog().getByLabel('Select Second paper').check()
  drive.expireTokens()
  await button('Import 2 files').click()
  await notice('Not authenticated with Google Drive')
  expect(await dialog().getByText('Not imported', { exact: true }).count()).toBe(1)
  expect(await dialog().getByText('Waiting', { exact: true }).count()).toBe(0)
  await button('Authorize again').click()
  await button('Papers').click()
  await button('paper.pdf').waitFor()
})

it('The Drive dialog shows the reason when Google refuses the authorization, and offers another one (MSG-72)', async () => {
  drive.misbehave({ path: '/token', status: 401, body: '{"error":"invalid_client"}' })
  await page.goto('/Waves/documents')
  await page.getByRole('button', { name: 'Import from Google Drive' }).click()
  await page.getByRole('heading', { name: 'Google Drive could not be opened' }).waitFor()
  await page.locator('main').getByText('Failed to process Google authorization').waitFor()
  expect(await page.getByText('An unknown error occurred').count()).toBe(0)
  await page.getByRole('button', { name: 'Authorize again' }).click()
  await dialog().waitFor()
})

it('The Drive callback refuses an answer to a request of another tab (DRIVE-04)', async () => {
  await page.goto(`${pages.driveCallback()}?code=stolen&state=forged`)
  await notice('Invalid authentication state. Please try again.')
  await page.getByRole('button', { name: 'Back to projects' }).click()
  await page.waitForURL('**/projects')
})

it('The Drive callback reports when Google sent no code (DRIVE-05)', async () => {
  drive.misbehave({ path: '/auth', status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Consent</p>' })
  await page.goto('/Waves/documents')
  await page.getByRole('button', { name: 'Import from Google Drive' }).click()
  await page.getByText('Consent').waitFor()
  const state = new URL(page.url()).searchParams.get('state')
  await page.goto(`${server.url}${pages.driveCallback()}?state=${state}&error=access_denied`)
  await notice('No authorization code received from Google')
})

it('The Drive dialog asks for a project when none is selected (MSG-69)', async () => {
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

it('The Drive callback opens without a session, and asks the visitor to sign in (DRIVE-01)', async () => {
  const other = await newPage(browser, { baseURL: server.url })
  await other.page.goto(`${pages.driveCallback()}?code=x&state=y`)
  await other.page.getByRole('heading', { name: 'No active session' }).waitFor()
  expect(await other.page.locator('main').getByRole('link', { name: 'Sign In' }).isVisible()).toBe(true)
  await other.context.close()
})
