import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { closeContexts, newPage, openBrowser } from '#tests/helpers/browser.ts'
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
  const signIn = async ({ email, password }: Client) => {
    await page.goto('/auth')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.waitForURL('**/projects')
  }
  /** Requests the PDF of the document from the page. Returns the status, and whether the body is a PDF. */
  const read = () =>
    page.evaluate(async (path) => {
      const answer = await fetch(path)
      return [answer.status, (await answer.text()).startsWith('%PDF')]
    }, api.documentFile(id))

  await signIn(ada)
  expect(await read()).toEqual([200, true])
  expect(await read()).toEqual([200, true])
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/auth')
  expect(await read()).toEqual([401, false])
  await signIn(bob)
  expect(await read()).toEqual([404, false])
})
