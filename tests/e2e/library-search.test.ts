import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LibrarySearch } from '#shared/contract/library-search.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
let project: string

beforeAll(async () => {
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Walks' } })).data.id
  const sample = await ada.json<{ data: { id: string } }>(api.documentsSample(), { body: { project_id: project } })
  const steps = ['extract', 'vectorize']
  const work = await ada.json<{ data: { id: string } }>(api.documentsProcess(), {
    body: { document_ids: [sample.data.id], steps },
  })
  await ada.job(work.data.id, 90_000)
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
afterAll(() => closeContexts(browser))

it('The address contains the search, a passage opens the reader beside the list, and a search without results names the filter (LIB-01, LIB-02, LIB-05, FND-23)', async () => {
  await page.goto('/Walks/overview')
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Search' }).click()
  await page.getByLabel('Search all passages').fill('walking sleep')
  await page.waitForURL('**/Walks/search?q=walking+sleep')
  const first = page
    .getByRole('list')
    .filter({ has: page.locator('mark') })
    .getByRole('listitem')
    .first()
  await first.locator('mark').first().waitFor()
  await first.getByText(/^(both|words)$/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await first.getByRole('button', { name: /^p\. \d+$/ }).click()
  const reader = page.getByRole('dialog', { name: 'Reader' })
  await reader.waitFor()
  await page.goBack()
  await reader.waitFor({ state: 'detached' })
  await page.goForward()
  await reader.waitFor()
  // A reload, and Back from the page of the paper, do not close the reader.
  await page.reload()
  await reader.locator('[data-slot=passage-line]').first().waitFor()
  await page.locator('li[aria-current=true]').waitFor()
  await reader.getByRole('link', { name: 'Open paper' }).click()
  await page.waitForURL('**/Walks/document/*')
  await page.getByRole('heading', { level: 1, name: 'sample-paper.pdf' }).waitFor()
  await page.goBack()
  await reader.locator('[data-slot=passage-line]').first().waitFor()
  await page.keyboard.press('Escape')
  await reader.waitFor({ state: 'detached' })
  await page.reload()
  await first.locator('mark').first().waitFor()

  // Below 768 px the reader covers the list, and Back returns to the same place of it.
  await page.setViewportSize({ width: 390, height: 400 })
  const last = page.getByRole('button', { name: /^p\. \d+$/ }).last()
  await last.scrollIntoViewIfNeeded()
  const scrolled = await page.evaluate(() => window.scrollY)
  expect(scrolled).toBeGreaterThan(0)
  await last.click()
  await reader.locator('[data-slot=passage-line]').first().waitFor()
  expect((await reader.boundingBox())!.width).toBe(390)
  await page.goBack()
  await reader.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled)
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('tab', { name: 'Papers 1' }).click()
  await page.getByText('1 paper', { exact: true }).waitFor()
  await page.goto('/Walks/search?q=walking&from=1800&to=1801')
  await page.getByText('No passage found.').waitFor()
  await page.getByRole('button', { name: 'Drop the year filter' }).click()
  await first.locator('mark').first().waitFor()
  // The CSL type 'review' is a review of another work, and not a review article.
  await page.goto('/Walks/search?q=walking&type=review')
  await page.getByText('Review of a work').first().waitFor()
  await page.getByRole('button', { name: 'Drop the type filter' }).click()
  await first.locator('mark').first().waitFor()
})

it('The page links back to the overview, except beside the reader (NAV-34)', async () => {
  await page.goto('/Walks/search?q=walking')
  const back = page.getByRole('link', { name: '← Back to overview' })
  const passage = page.getByRole('button', { name: /^p\. \d+$/ }).first()
  await passage.waitFor()
  expect(await back.isVisible()).toBe(true)
  await passage.click()
  const reader = page.getByRole('dialog', { name: 'Reader' })
  await reader.waitFor()
  expect(await back.count()).toBe(0)
  await page.keyboard.press('Escape')
  await reader.waitFor({ state: 'detached' })
  await page.goto('/Walks/search?q=walking&from=1800&to=1801')
  await page.getByText('No passage found.').waitFor()
  await back.click()
  await page.waitForURL('**/Walks/overview')
})

it('A click on the title or the text of a result, and Enter on the title, open the reader; Ctrl and a click open the page of the paper (LIB-03, FND-23)', async () => {
  await page.goto('/Walks/search?q=walking')
  const row = page.getByRole('listitem').filter({ has: page.locator('mark') })
  const title = row.first().getByRole('heading', { level: 2 }).getByRole('link')
  const reader = page.getByRole('dialog', { name: 'Reader' })
  const closesAfter = async (open: () => Promise<void>) => {
    await open()
    await reader.locator('[data-slot=passage-line]').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/Walks/search')
    await page.keyboard.press('Escape')
    await reader.waitFor({ state: 'detached' })
  }
  await closesAfter(() => title.click())
  await closesAfter(() => title.press('Enter'))
  await closesAfter(() => row.first().locator('mark').first().click())
  await page.goto('/Walks/search?q=walking&kind=papers')
  await closesAfter(() => title.click())
  // A selection of text with the mouse does not open the reader.
  const text = (await row.first().locator('b').boundingBox())!
  await page.mouse.move(text.x + 5, text.y + 5)
  await page.mouse.down()
  await page.mouse.move(text.x + 150, text.y + 5)
  await page.mouse.up()
  for (const options of [{ modifiers: ['ControlOrMeta' as const] }, { button: 'middle' as const }]) {
    const [opened] = await Promise.all([page.context().waitForEvent('page'), title.click(options)])
    await opened.waitForURL('**/Walks/document/*')
    await opened.close()
  }
  expect(await reader.count()).toBe(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await title.click()
  await reader.getByRole('button', { name: 'Back to results' }).click()
  await reader.waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1280, height: 800 })
})

it('The title of a result whose text has no file opens the page of the paper', async () => {
  const { paper } = await addQuokkas('No file', 1)
  await inDatabase(server, 'update documents set source_url = null where id = $1', [paper])
  await page.goto('/No%20file/search?q=quokka')
  await page.getByRole('heading', { level: 2 }).getByRole('link').click()
  await page.waitForURL(`**/document/${paper}`)
})

it('The help of the search names each form, and that another prefix is plain text (LIB-04)', async () => {
  await page.goto('/Walks/search?q=walking')
  await page.getByRole('button', { name: 'Help for the search' }).click()
  const help = page.getByRole('dialog', { name: 'Help for the search' })
  await expect
    .poll(() => help.locator('dl > div').last().innerText())
    .toMatch(/^pmid:123\s+any other prefix: plain text$/)
  expect(await accessibilityProblems(page)).toEqual([])
})

it('Enter applies a year of the filter, and text that is not a year leaves the filter unchanged with an error (LIB-04)', async () => {
  await page.goto('/Walks/search?q=walking')
  // From 1024 px on, the filters are in a column beside the list.
  const filters = page.getByRole('complementary', { name: 'Filters' })
  const from = filters.getByLabel('Year from')
  await from.fill('1800')
  await from.press('Enter')
  await page.waitForURL('**/Walks/search?q=walking&from=1800')
  await from.fill('19xx')
  await from.press('Tab')
  await page.getByRole('alert').getByText('Enter a year such as 2019.').waitFor()
  expect(await from.getAttribute('aria-invalid')).toBe('true')
  expect(new URL(page.url()).search).toBe('?q=walking&from=1800')
  expect(await accessibilityProblems(page)).toEqual([])
  await from.fill('')
  await from.press('Enter')
  await page.waitForURL('**/Walks/search?q=walking')
  expect(await page.getByRole('alert').count()).toBe(0)
  await filters.getByRole('checkbox', { name: 'Has a file' }).click()
  await page.waitForURL('**/Walks/search?q=walking&file=true')
  const button = page.getByRole('button', { name: /^Filter/ })
  expect(await button.count()).toBe(0)
  // Beside the reader, and on smaller screens, a button opens the filters.
  await page.getByRole('heading', { level: 2 }).getByRole('link').first().click()
  await page.getByRole('dialog', { name: 'Reader' }).waitFor()
  await button.waitFor()
  expect(await filters.count()).toBe(0)
})

it('The filters have the tags and types of the papers in the scope, with their numbers (LIB-02)', async () => {
  const { paper } = await addQuokkas('Islands', 1)
  await inDatabase(
    server,
    `update documents set keywords = '{island}', reference = reference || '{"type": "dataset"}' where id = $1`,
    [paper],
  )
  await page.setViewportSize({ width: 900, height: 800 })
  await page.goto('/Walks/search?q=quokka')
  await page.getByRole('button', { name: 'Filter' }).click()
  const type = page.getByRole('group', { name: 'Type' })
  const tags = page.getByRole('group', { name: 'Tags' })
  await type.locator('[data-slot=option]', { hasText: 'Article' }).waitFor()
  expect(await type.locator('[data-slot=option]').count()).toBe(1)
  expect(await tags.getByText('island').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Scope' }).click()
  await page.getByRole('option', { name: 'My projects' }).click()
  await page.waitForURL('**/Walks/search?q=quokka&scope=mine')
  await page.getByRole('button', { name: 'Filter' }).click()
  await tags.locator('[data-slot=option]', { hasText: /^island1$/ }).waitFor()
  await type.getByRole('checkbox', { name: 'Dataset' }).click()
  await page.waitForURL('**/Walks/search?q=quokka&scope=mine&type=dataset')
  await page.getByRole('group', { name: 'Selected filters' }).getByText('Dataset').waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
})

it('A search is saved with its filters, opened, renamed and deleted, and shows the number of new papers (LIB-06)', async () => {
  await page.goto('/Walks/search?q=walking&file=true')
  await page.getByRole('button', { name: 'Save this search' }).click()
  await page.getByLabel('Name').fill('Walks with a file')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = page.getByRole('group', { name: 'Saved searches' })
  await saved.getByRole('link', { name: 'Walks with a file' }).waitFor()
  await page.getByRole('button', { name: 'Save this search' }).waitFor({ state: 'hidden' })
  // A paper that was added after the search was last opened.
  const abstract = 'Walking in the evening helps adults to sleep, and walking groups keep at it.'
  const paper = { project_id: project, title: 'Walking groups and sleep', abstract }
  await page.goto('/Walks/search?q=walking')
  await page.getByRole('button', { name: 'Save this search' }).click()
  await page.getByLabel('Name').fill('All walks')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved.getByRole('link', { name: 'All walks' }).waitFor()
  const { data } = await ada.json<{ data: AddedPaper }>(api.papers(), { body: paper })
  await ada.json(api.document(data.document.id), { method: 'PATCH', body: { abstract } })
  const found = () => ada.json<LibrarySearch>(api.search({ q: 'walking', project_id: project, kind: 'papers' }))
  await expect.poll(async () => (await found()).count, { timeout: 60_000 }).toBe(2)
  await page.goto('/Walks/search')
  await saved.getByText('1 new').waitFor()
  await saved.getByRole('link', { name: 'All walks' }).click()
  await saved.getByText('1 new').waitFor({ state: 'hidden' })

  // The reader shows the abstract of a paper without a file, with the words of the passage.
  await page.getByRole('button', { name: 'Abstract' }).click()
  const reader = page.getByRole('dialog', { name: 'Reader' })
  expect(await reader.locator('mark').innerText()).toBe(abstract)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await accessibilityProblems(page)).toEqual([])
  await reader.getByRole('button', { name: 'Back to results' }).click()
  await reader.waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Edit the saved search All walks' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await saved.getByRole('link', { name: 'All walks' }).waitFor({ state: 'hidden' })
  await saved.getByRole('link', { name: 'Walks with a file' }).click()
  await page.waitForURL('**/Walks/search?q=walking&file=true')
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit the saved search Walks with a file' }).click()
  await page.getByLabel('Name').fill('Walks')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Edit the saved search Walks', exact: true }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await saved.getByRole('link').waitFor({ state: 'hidden' })
})

/** Creates a project with a paper whose pages each name a quokka. Waits until the search finds them. Returns both ids. */
async function addQuokkas(name: string, count: number): Promise<{ projectId: string; paper: string }> {
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })
  const { id } = await ada.upload(data.id, new File([onePagePdf(['Quokkas'])], 'quokkas.pdf'))
  const filler = 'The island has few trees and little water in the summer months. '.repeat(25)
  const pagesOfText = Array.from({ length: count }, (_, at) => `[Page ${at + 1}]\nWe saw quokka ${at + 1}. ${filler}`)
  const body = { extracted_text: pagesOfText.join('\n\n') }
  await ada.json(api.documentText(id), { method: 'PUT', body })
  const search = () => ada.json<LibrarySearch>(api.search({ q: 'quokka', project_id: data.id }))
  await expect.poll(async () => (await search()).counts.passages).toBe(count)
  return { projectId: data.id, paper: id }
}

it('The search shows all passages of a paper with many matches, 50 at a time, and as many as it announces (LIB-03)', async () => {
  await addQuokkas('Long', 70)
  await page.goto('/Long/search?q=quokka')
  await page.getByRole('button', { name: '67 more in this paper' }).click()
  // The list itself has three passages of the paper.
  await expect.poll(() => page.locator('mark', { hasText: /^quokka$/ }).count()).toBe(53)
  await page.getByRole('button', { name: 'Show more passages' }).click()
  await expect.poll(() => page.locator('mark', { hasText: /^quokka$/ }).count()).toBe(70)
  expect(await page.getByRole('button', { name: 'Show more passages' }).count()).toBe(0)
})

it('The list of results shows its range and the number of the page', async () => {
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Wombats' } })
  await inDatabase(
    server,
    `insert into documents (created_by, project_id, filename, title, abstract)
      select $1, $2, 'w.pdf', 'Burrow ' || n, 'Wombats dug burrow ' || n from generate_series(1, 25) n`,
    [ada.userId, data.id],
  )
  const papers = () => ada.json<LibrarySearch>(api.search({ q: 'wombats', project_id: data.id, kind: 'papers' }))
  await expect.poll(async () => (await papers()).count, { timeout: 60_000 }).toBe(25)
  await page.goto('/Wombats/search?q=wombats&kind=papers')
  const pager = page.getByRole('navigation', { name: 'Pages' })
  await pager.getByText('1–20 of 25').waitFor()
  await pager.getByText('Page 1 of 2').waitFor()
  await pager.getByRole('button', { name: 'Next page' }).click()
  await pager.getByText('21–25 of 25').waitFor()
  const rows = page.getByRole('listitem').filter({ has: page.locator('mark') })
  await expect.poll(() => rows.count()).toBe(5)
  expect(await accessibilityProblems(page)).toEqual([])
})

it('A member who may not edit the papers of a search cannot vectorize them', async () => {
  const { projectId } = await addQuokkas('Read only', 1)
  const ben = await signUp(server.url)
  await ben.json(api.projects(), { body: { name: 'Own' } })
  await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
    projectId,
    ben.userId,
  ])
  const other = await signedInPage(browser, ben)
  await other.page.goto('/Own/search?q=quokka&scope=shared')
  await other.page.getByRole('button', { name: 'Vectorize it' }).click()
  const notices = other.page.getByRole('region', { name: 'Notifications' })
  await expect.poll(() => notices.textContent()).toContain('You cannot vectorize these papers')
  await other.context.close()
})

it('Back to the search after its paper was deleted shows no passage', async () => {
  const { paper } = await addQuokkas('Deleted', 1)
  await page.goto('/Deleted/search?q=quokka')
  await page.locator('mark').first().waitFor()
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Deleted' }).waitFor()
  await ada.json(api.document(paper), { method: 'DELETE' })
  await page.getByRole('link', { name: 'Add papers' }).waitFor()
  await page.goBack()
  await page.getByText('No passage found.').waitFor()
  expect(await page.locator('mark').count()).toBe(0)
})
