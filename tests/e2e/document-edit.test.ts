import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
let id: string
beforeAll(async () => {
  ada = await signUp(server.url)
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), {
    body: { name: 'Naps', tags: ['sleep', 'memory'] },
  })
  const bytes = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
  id = (await ada.upload(data.id, new File([bytes], 'paper.pdf', { type: 'application/pdf' }))).id
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
beforeEach(async () => {
  const body = {
    title: 'Naps',
    publication_date: '2025-03-04',
    keywords: ['sleep'],
    summary: null,
    evidence_level: null,
  }
  await ada.json(api.document(id), { method: 'PATCH', body })
  await page.unrouteAll()
  // A form with changes would show a confirmation when it is left.
  await page.goto('about:blank')
  await page.goto(`/Naps/document/${id}/edit`)
  await field('Title').waitFor()
})
afterAll(() => closeContexts(browser))

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const read = async () => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const question = () => page.getByRole('alertdialog', { name: 'Discard changes?' })

describe('the edit form of a document (EDIT-01)', () => {
  it('The edit form shows the date as MMMM dd, yyyy, and accepts a date from the calendar by keyboard (EDIT-03, CONST-21)', async () => {
    expect(await field('Publication date').inputValue()).toBe('March 04, 2025')
    await button('Open the calendar').click()
    await page.getByRole('grid', { name: 'March 2025' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(() => field('Publication date').inputValue()).toBe('March 12, 2025')
    expect(await page.getByRole('grid').count()).toBe(0)
  })

  it('The edit form refuses an ambiguous date, and understands a typed date', async () => {
    await field('Publication date').fill('03/04/2025')
    await button('Save Changes').click()
    await page.getByText('Write the date as March 04, 2025 or as 2025-03-04').waitFor()
    await field('Publication date').fill('2024-02-29')
    await field('Title').focus()
    await expect.poll(() => field('Publication date').inputValue()).toBe('February 29, 2024')
  })

  it('The edit form has the specified numbers of rows, and disables selected suggestions (EDIT-09, EDIT-07)', async () => {
    const rows = (name: string) => field(name).getAttribute('rows')
    expect(await Promise.all(['Summary', 'Lifestyle recommendations', 'Insights', 'Social post'].map(rows))).toEqual([
      '5',
      '5',
      '5',
      '3',
    ])
    const suggestions = page.getByRole('group', { name: 'Suggestions' })
    expect(await suggestions.getByRole('button', { name: 'sleep' }).isDisabled()).toBe(true)
    expect(await suggestions.getByRole('button', { name: 'memory' }).isDisabled()).toBe(false)
  })

  it('The edit form asks before changes are lost by a link or by Cancel, and stays open on Cancel', async () => {
    await field('Publication date').fill('2024-02-29')
    await page.getByRole('link', { name: 'Back to documents' }).click()
    await question().waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await question().getByRole('button', { name: 'Keep editing' }).click()
    await question().waitFor({ state: 'hidden' })
    expect(page.url()).toContain('/edit')
    expect(await field('Publication date').inputValue()).toBe('February 29, 2024')
    // The browser shows its own dialog before the tab closes or reloads.
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => void setTimeout(() => location.reload()))
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await button('Cancel').click()
    await question().getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL(`**/Naps/document/${id}`)
    expect((await read()).publication_date).toBe('2025-03-04')
  })

  it('The edit form saves without a confirmation, reads one insight from each line, and returns to the read view (EDIT-13, MSG-37)', async () => {
    await field('Publication date').fill('4 May 2023')
    await field('Insights').fill('  One. \n\n Two.')
    await button('Save Changes').click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Changes saved successfully').waitFor()
    await page.waitForURL(`**/Naps/document/${id}`)
    await page.getByText('May 04, 2023').waitFor()
    expect(await question().count()).toBe(0)
    expect(await read()).toMatchObject({ publication_date: '2023-05-04', insights: ['One.', 'Two.'] })
    // Without changes, Cancel shows no confirmation.
    await page.goto(`/Naps/document/${id}/edit`)
    await button('Cancel').click()
    await page.waitForURL(`**/Naps/document/${id}`)
  })

  it('The edit form saves a typed keyword without Enter, and suggests journals of the whole catalog', async () => {
    await ada.json(api.document(id), { method: 'PATCH', body: { journal_name: 'Annals of Napping' } })
    await ada.json(api.document(id), { method: 'PATCH', body: { journal_name: 'The Journal of Sleep' } })
    await page.goto(`/Naps/document/${id}/edit`)
    const journal = page.getByRole('combobox', { name: 'Journal' })
    await journal.fill('a jour')
    await page.getByText('A new journal with this name is added.').waitFor()
    const asked = page.waitForRequest((request) => request.url().includes('/api/journals?search=nap'))
    await journal.fill('nap')
    await asked
    await page.getByRole('option', { name: 'Annals of Napping' }).click()
    const keywords = page.getByRole('textbox', { name: 'Keywords' })
    await keywords.fill('mem')
    await page.getByRole('group', { name: 'Suggestions' }).getByRole('button', { name: 'memory' }).click()
    await keywords.fill('siesta')
    await button('Save Changes').click()
    await page.waitForURL(`**/Naps/document/${id}`)
    expect(await read()).toMatchObject({
      journal_name: 'Annals of Napping',
      keywords: ['sleep', 'memory', 'siesta'],
    })
  })

  it('The edit form does not revert changes that were written elsewhere, and shows them', async () => {
    await field('Title').fill('Naps, of mine')
    // Enter in an input method accepts a word there and adds no keyword.
    await field('Keywords').fill('ne')
    await field('Keywords').dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    expect(await field('Keywords').inputValue()).toBe('ne')
    await field('Keywords').fill('')
    await ada.json(api.document(id), { method: 'PATCH', body: { title: 'Naps', summary: 'Written elsewhere.' } })
    await expect.poll(() => field('Summary').inputValue()).toBe('Written elsewhere.')
    expect(await field('Title').inputValue()).toBe('Naps, of mine')
    // The page does not receive this change, and must not overwrite it.
    await page.route('**/api/documents/*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.fallback(),
    )
    await ada.json(api.document(id), { method: 'PATCH', body: { evidence_level: 'Level 5: Expert opinion' } })
    await button('Save Changes').click()
    await page.waitForURL(`**/Naps/document/${id}`)
    await page.unrouteAll()
    expect(await read()).toMatchObject({
      title: 'Naps, of mine',
      summary: 'Written elsewhere.',
      evidence_level: 'Level 5: Expert opinion',
    })
  })

  it('The edit form loses no change to a newer version of the app: it reports a missing part, and reloads a missing page once', async () => {
    await field('Title').fill('Naps, revised')
    let loads = 0
    await page.route('**/assets/**', (route) => (loads === 0 ? route.fulfill({ status: 404 }) : route.continue()))
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1
    })
    await page.keyboard.press('Control+k')
    await page.getByRole('region', { name: 'Notifications' }).getByText('A part of this page could not be').waitFor()
    expect([await field('Title').inputValue(), loads]).toEqual(['Naps, revised', 0])
    await button('Save Changes').click()
    // The heading is shown after the reload. A click before it would be lost.
    await page.getByRole('heading', { name: 'Naps, revised', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Feed', exact: true }).click()
    await page.getByRole('heading', { name: 'Feed', level: 1 }).waitFor()
    expect([loads, (await read()).title]).toEqual([1, 'Naps, revised'])
    await page.unrouteAll()
  })
})
