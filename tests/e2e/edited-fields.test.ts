import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { type ScholarServer, startScholarServer } from '#tests/helpers/scholar-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

const PAPER = 'Evening group walking for older adults with poor sleep: a randomised controlled trial'
const MINE = { title: 'My own title', summary: 'My own summary.' }
let server: TestServer
let scholar: ScholarServer
let browser: Browser
let context: BrowserContext
let page: Page
let ada: Client
let project: string
let id: string
beforeAll(async () => {
  scholar = await startScholarServer()
  ;[server, browser] = await Promise.all([
    startServer({ env: { ...scholar.env, CONTACT_EMAIL: 'ops@example.org' } }),
    openBrowser(),
  ])
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
  await scholar.stop()
})
/** Before each test, creates a document that was analyzed and then edited, and opens a page. */
beforeEach(async () => {
  const file = async (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url))
  id = (await ada.upload(project, new File([new Uint8Array(await file('paper.pdf'))], 'paper.pdf'))).id
  const text = `[Page 1]\n${(await file('paper.txt')).toString()}`
  await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: text } })
  await ada.job((await ada.json<{ data: Job }>(api.documentAnalyze(id), { body: {} })).data.id)
  await ada.json(api.document(id), { method: 'PATCH', body: MINE })
  ;({ page, context } = await signedInPage(browser, ada))
})
afterEach(() => context.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true })
const notices = () => page.getByRole('region', { name: 'Notifications' })
const read = async () => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const dialog = () => page.getByRole('dialog', { name: 'Select Prompt' })
const replace = () => dialog().getByRole('checkbox', { name: /^Replace my edits: title and summary/ })
const reanalyze = async () => {
  await dialog().getByRole('radio').first().click()
  await dialog().getByRole('button', { name: 'Start Analysis' }).click()
  await notices().getByText('Document refreshing completed successfully.').waitFor()
}

describe('a repeated analysis of an edited document', () => {
  it('A repeated analysis names the edited fields and keeps them', async () => {
    await page.goto(pages.document('Naps', id))
    await button('Re-analyze').click()
    await replace().waitFor()
    expect(await replace().isChecked()).toBe(false)
    expect(await accessibilityProblems(page)).toEqual([])
    await reanalyze()
    expect(await heading(MINE.title).count()).toBe(1)
    expect(await read()).toMatchObject({ ...MINE, edited_fields: ['title', 'summary'] })
  })

  it("A repeated analysis replaces edited fields on request, and 'Undo' on the notice restores them", async () => {
    const before = await read()
    await page.goto(pages.document('Naps', id))
    await button('Re-analyze').click()
    await replace().click()
    await reanalyze()
    // A notice stays while the pointer is over it.
    await notices().getByText('Document refreshing completed successfully.').hover()
    await heading(PAPER).waitFor()
    await notices().getByRole('button', { name: 'Undo' }).click()
    await heading(MINE.title).waitFor()
    await notices().getByText('Analysis undone').waitFor()
    const after = await read()
    expect({ ...after, updated_at: '', version: 0 }).toEqual({ ...before, updated_at: '', version: 0 })
    expect(after.version).toBeGreaterThan(before.version)
  })

  it('A repeated analysis can be undone from the record after a reload, and a later edit stays', async () => {
    await page.goto(pages.document('Naps', id))
    await button('Re-analyze').click()
    await replace().click()
    await reanalyze()
    await ada.json(api.document(id), { method: 'PATCH', body: { title: 'A later title' } })
    await page.reload()
    await heading('A later title').waitFor()
    await button('Undo the last analysis').click()
    await notices().getByText('Not restored, because it was changed since: title.').waitFor()
    await page.getByText(MINE.summary).waitFor()
    await button('Undo the last analysis').waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({ title: 'A later title', summary: MINE.summary })
  })

  it('A repeated analysis of several documents reports that edited fields stay', async () => {
    await page.goto(pages.documents('Naps'))
    await page
      .getByRole('row', { name: /My own title/ })
      .first()
      .getByRole('checkbox')
      .click()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Analyze', exact: true }).click()
    await page.getByRole('dialog', { name: 'Analyze' }).getByText('Fields that you edited keep your text.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })
})

describe('the metadata look-up of an edited document', () => {
  it('The metadata look-up names the edited fields, selects nothing in their place, and does not count its values as edits', async () => {
    await ada.json(api.document(id), { method: 'PATCH', body: { abstract: 'x', authors: ['Ada Lovelace'] } })
    await ada.json(api.document(id), { method: 'PATCH', body: { abstract: null } })
    scholar.setOpenAlexWork({
      id: 'https://openalex.org/W77',
      doi: `https://doi.org/${(await read()).doi_link}`,
      title: 'Their title',
      authorships: [{ author: { display_name: 'Mary Somerville' } }],
      abstract_inverted_index: { Theirs: [0] },
      primary_location: { source: { display_name: 'Their Journal' } },
    })
    await page.goto(pages.document('Naps', id))
    const record = page.getByRole('complementary', { name: 'About this paper' })
    await record.getByRole('button', { name: 'Look up' }).click()
    const lookup = page.getByRole('dialog', { name: 'Look up' })
    await lookup.getByRole('heading', { name: 'Title Edited by you' }).waitFor()
    for (const name of ['Title', 'Authors', 'Abstract'])
      expect(
        await lookup.getByRole('radiogroup', { name }).getByRole('radio', { name: /^Now/ }).isChecked(),
        name,
      ).toBe(true)
    expect(await lookup.getByText('Edited by you').count()).toBe(3)
    expect(await accessibilityProblems(page)).toEqual([])
    const ofJournal = lookup.getByRole('radiogroup', { name: 'Journal' })
    await ofJournal.getByRole('radio', { name: /^OpenAlex/ }).click()
    await lookup
      .getByRole('radiogroup', { name: 'Title' })
      .getByRole('radio', { name: /^OpenAlex/ })
      .click()
    await lookup.getByRole('button', { name: 'Save chosen fields (2)' }).click()
    await heading('Their title').waitFor()
    expect(await read()).toMatchObject({
      title: 'Their title',
      journal_name: 'Their Journal',
      abstract: null,
      edited_fields: ['authors', 'summary', 'abstract'],
    })
  })
})

describe('the page of a document', () => {
  it('The page of a document shows no blank insight, and links other insights to their own passages', async () => {
    await ada.json(api.document(id), { method: 'PATCH', body: { insights: ['   ', 'Unheard of.'] } })
    await page.goto(pages.document('Naps', id))
    const items = page.getByRole('listitem').filter({ hasText: 'not found in the text' })
    await items.first().waitFor()
    expect(await items.allInnerTexts()).toEqual([expect.stringMatching(/^Unheard of\.\s+not found in the text$/)])
    const note = await items.first().getByText('not found in the text').boundingBox()
    expect(note!.width).toBeGreaterThan(90)
    await ada.json(api.document(id), { method: 'PATCH', body: { insights: ['   '] } })
    await page.reload()
    await heading(MINE.title).waitFor()
    expect(await page.getByRole('heading', { name: 'Insights' }).count()).toBe(0)
  })

  it('The page of a document has space around the progress of its jobs', async () => {
    await page.route('**/api/jobs?*', (route) =>
      route.fulfill({
        json: {
          data: [
            {
              id: '3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11',
              kind: 'vectorize',
              status: 'running',
              progress: 40,
              progress_text: 'Embedding sentence 384 of 496',
              error: null,
              error_code: null,
              result: null,
              document_id: id,
              project_id: project,
              is_own: true,
              may: ['read', 'edit'],
              created_at: new Date().toISOString(),
              updated_at: new Date().toISOString(),
            },
          ],
        },
      }),
    )
    await page.goto(pages.document('Naps', id))
    const work = (await page.getByRole('list', { name: 'Running work' }).boundingBox())!
    const title = (await heading(MINE.title).boundingBox())!
    const actions = (await button('Re-analyze').boundingBox())!
    expect(work.y - (actions.y + actions.height)).toBeGreaterThanOrEqual(12)
    expect(title.y - (work.y + work.height)).toBeGreaterThanOrEqual(12)
  })
})
