import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Conversation } from '#shared/contract/conversations.ts'
import { api, pages } from '#shared/contract/paths.ts'
import type { SavedSearch } from '#shared/contract/saved-searches.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let ada: Client
let project: string
beforeAll(async () => {
  browser = await openBrowser()
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
})
afterAll(() => closeContexts(browser))

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Changed in the meantime' })
/** Opens an address in two browser contexts of the user Ada. Returns both pages. */
async function openTwice(path: string): Promise<[Page, Page]> {
  const [one, other] = [(await signedInPage(browser, ada)).page, (await signedInPage(browser, ada)).page]
  await Promise.all([one.goto(path), other.goto(path)])
  return [one, other]
}

it('The rename of a conversation asks which name to save when another browser renamed it meanwhile (SHR-30)', async () => {
  const body = { title: 'Do naps help?' }
  const { id } = (await ada.json<{ data: Conversation }>(api.conversations(project), { body })).data
  const title = async () => (await ada.json<{ data: Conversation }>(api.conversation(id))).data.title
  const [one, other] = await openTwice(pages.ask('Naps'))
  const rename = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Actions for Do naps help?' }).first().click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
  }
  await rename(one, 'Naps, first')
  await rename(other, 'Naps, second')
  await one.getByRole('button', { name: 'Save' }).click()
  await one.getByRole('link', { name: 'Naps, first' }).first().waitFor()
  await other.getByRole('button', { name: 'Save' }).click()
  await dialog(other).waitFor()
  expect(await accessibilityProblems(other)).toEqual([])
  await dialog(other).getByRole('radio', { name: 'Keep mine: Naps, second' }).waitFor()
  expect(await title()).toBe('Naps, first')
  await dialog(other).getByRole('radio', { name: 'Take theirs: Naps, first' }).click()
  await dialog(other).getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => other.getByRole('dialog').count()).toBe(0)
  expect(await title()).toBe('Naps, first')
})

it('The rename of a saved search asks which name to save when another browser renamed it meanwhile (SHR-30)', async () => {
  const body = { name: 'Naps of nurses', query: { q: 'naps' } }
  const { id } = (await ada.json<{ data: SavedSearch }>(api.savedSearches(project), { body })).data
  const [one, other] = await openTwice(pages.search('Naps', { q: 'naps' }))
  const rename = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Edit the saved search Naps of nurses' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
  }
  await rename(one, 'Naps, first')
  await rename(other, 'Naps, second')
  await one.getByRole('button', { name: 'Save', exact: true }).click()
  await one.getByRole('link', { name: 'Naps, first' }).waitFor()
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog(other).waitFor()
  expect(await accessibilityProblems(other)).toEqual([])
  await dialog(other).getByRole('radio', { name: 'Keep mine: Naps, second' }).waitFor()
  await dialog(other).getByRole('button', { name: 'Save' }).click()
  await other.getByRole('link', { name: 'Naps, second' }).waitFor()
  const { data } = await ada.json<{ data: SavedSearch[] }>(api.savedSearches(project))
  expect(data).toMatchObject([{ id, name: 'Naps, second' }])
})
