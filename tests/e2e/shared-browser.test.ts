import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { closeContexts, newPage, openBrowser } from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let ada: Client
let bob: Client
beforeAll(async () => {
  ada = await signUp(server.url)
  bob = await signUp(server.url)
  browser = await openBrowser()
})
afterAll(() => closeContexts(browser))

it('A PDF does not come from the cache of the browser for the next user who signs in there', async () => {
  const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Private' } })
  const file = new File([onePagePdf(['No other user reads this'])], 'a.pdf', { type: 'application/pdf' })
  const { id } = await ada.upload(project.id, file)
  const { page } = await newPage(browser, { baseURL: server.url })
  /** Requests the PDF of the document from the page. Returns the status, and whether the body is a PDF. */
  const read = () =>
    page.evaluate(async (path) => {
      const answer = await fetch(path)
      return [answer.status, (await answer.text()).startsWith('%PDF')]
    }, api.documentFile(id))

  await page.goto('/auth')
  await signIn(page, ada)
  expect(await read()).toEqual([200, true])
  expect(await read()).toEqual([200, true])
  await logOut(page)
  expect(await read()).toEqual([401, false])
  await signIn(page, bob)
  expect(await read()).toEqual([404, false])
})

it('An upload ends when its user logs out, so that the next user does not upload the rest of the files', async () => {
  const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Shared' } })
  await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
    project.id,
    bob.userId,
  ])
  const { page } = await newPage(browser, { baseURL: server.url })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(onePagePdf([name])) })
  const openDocuments = async () => {
    await page.getByRole('link', { name: 'Shared' }).first().click()
    await page.getByRole('navigation').getByRole('link', { name: 'Documents' }).first().click()
    await button('Upload Document').first().click()
  }
  await page.goto('/auth')
  await signIn(page, ada)
  await openDocuments()
  const gate = Promise.withResolvers<void>()
  await page.route(`**${api.documents()}`, async (route) => {
    if (route.request().method() === 'POST') await gate.promise
    await route.fallback()
  })
  await page.locator('input[type=file]').setInputFiles(['1.pdf', '2.pdf', '3.pdf', '4.pdf'].map(pdf))
  await button('Upload 4 papers').click()
  await page.getByRole('progressbar', { name: 'Uploading 1.pdf' }).waitFor()
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await logOut(page)
  // The page is not loaded again, because a load would also end the upload.
  await signIn(page, bob)
  gate.resolve()
  await openDocuments()
  await page.locator('input[type=file]').setInputFiles(pdf('bob.pdf'))
  await button('Upload').click()
  await page.getByText('bob.pdf uploaded successfully').waitFor()
  const { data } = await ada.json<{ data: { filename: string }[] }>(api.documents({ project_id: project.id }))
  expect(data.map(({ filename }) => filename)).toEqual(['bob.pdf'])
})

/** Signs in on the open sign-in screen. */
async function signIn(page: Page, { email, password }: Client): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL('**/projects')
}

/** Logs out by the user menu. */
async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/auth')
}
