import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/** This file tests open pages whose data are changed elsewhere, or cannot be fetched again. */

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
let project: string
let id: string
beforeAll(async () => {
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
beforeEach(async () => {
  await page.unrouteAll()
  id = await newPaper('Naps help')
})
afterAll(() => closeContexts(browser))

const newPaper = async (title: string) =>
  (await ada.json<{ data: AddedPaper }>(api.papers(), { body: { project_id: project, title } })).data.document.id
const remove = (document: string) => ada.json(api.document(document), { method: 'DELETE' })
const restore = (document: string) => ada.json(api.documentRestore(document), { method: 'POST' })
const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true })

describe('a paper that is deleted elsewhere', () => {
  it('The page of a deleted paper shows that it is not found, and the paper after it is restored', async () => {
    await page.goto(pages.document('Naps', id))
    await heading('Naps help').waitFor()
    await remove(id)
    await heading('Document not found').waitFor()
    expect(await heading('Naps help').count()).toBe(0)
    await restore(id)
    await heading('Naps help').waitFor()
  })

  it('The form of a deleted paper keeps the typed text and shows a warning until the paper is restored', async () => {
    await page.goto(pages.documentEdit('Naps', id))
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.fill('Naps help a lot')
    await remove(id)
    const warning = page.getByRole('alert').filter({ hasText: 'This document was deleted.' })
    await warning.waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await title.inputValue()).toBe('Naps help a lot')
    await restore(id)
    await warning.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await heading('Naps help a lot').waitFor()
  })
})

describe('a list whose refetch fails', () => {
  it('The list of documents stays on the screen', async () => {
    await page.goto(pages.documents('Naps'))
    const row = page.getByRole('link', { name: 'Naps help', exact: true }).first()
    await row.waitFor()
    // A response 4xx is not repeated.
    await page.route('**/api/documents?*', (route) =>
      route.fulfill({ status: 429, json: { error: { code: 'too_many', message: 'Too many requests' } } }),
    )
    // When the second refetch fails, the page has shown the failure of the first.
    for (const summary of ['They help.', 'They help a lot.']) {
      const failed = page.waitForResponse((response) => response.status() === 429)
      await ada.json(api.document(id), { method: 'PATCH', body: { summary } })
      await (await failed).finished()
    }
    expect([await row.isVisible(), await page.getByText('The documents could not be loaded').count()]).toEqual([
      true,
      0,
    ])
  })
})

describe('the keyboard focus after a removal', () => {
  const focused = () => page.evaluate(() => document.activeElement?.closest('li, h1')?.textContent ?? '')

  it('The focus moves to the next row when a row is removed, and to the heading after the last one', async () => {
    await ada.json(api.trash(), { method: 'DELETE' })
    for (const title of ['Third', 'Second', 'First']) await remove(await newPaper(title))
    await page.goto(pages.deleted())
    const removeRow = (title: string) =>
      page
        .getByRole('listitem')
        .filter({ hasText: title })
        .getByRole('button', { name: /^Delete/ })
    await removeRow('First').press('Enter')
    for (const [title, next] of [
      ['First', 'Second'],
      ['Second', 'Third'],
      ['Third', 'Recently deleted'],
    ] as const) {
      if (title !== 'First') await removeRow(title).press('Enter')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete permanently' }).press('Enter')
      await page.getByText(`“${title}”`).waitFor({ state: 'detached' })
      await removeRow(title).waitFor({ state: 'detached' })
      await expect.poll(focused).toContain(next)
    }
  })

  it('The focus moves to the next tag when a tag is removed, and to the input after the last one', async () => {
    await ada.json(api.document(id), { method: 'PATCH', body: { keywords: ['one', 'two'] } })
    await page.goto(pages.documentEdit('Naps', id))
    const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    await page.getByRole('button', { name: 'Remove one' }).press('Enter')
    await expect.poll(label).toBe('Remove two')
    await page.keyboard.press('Enter')
    const input = page.getByRole('textbox', { name: 'Keywords' })
    await expect.poll(() => input.evaluate((one) => one === document.activeElement)).toBe(true)
  })
})
