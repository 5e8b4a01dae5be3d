import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { file, type ScholarServer, startScholarServer, status } from '#tests/helpers/scholar-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

const DOI = '10.5555/rest.2021'
const PAPER = new URL('../fixtures/paper.pdf', import.meta.url).pathname
let server: TestServer
let scholar: ScholarServer
let browser: Browser
let page: Page
let problems: string[]
let ada: Client
let project: string
beforeAll(async () => {
  scholar = await startScholarServer()
  scholar.setOpenAlexWork({
    id: 'https://openalex.org/W300',
    doi: `https://doi.org/${DOI}`,
    title: 'Rest and recall in old age',
    publication_date: '2021-02-28',
    is_retracted: true,
    authorships: [{ author: { display_name: 'Ada Lovelace' } }, { author: { display_name: 'Mary Somerville' } }],
    primary_location: { source: { display_name: 'Journal of Rest' } },
    abstract_inverted_index: { Rest: [0], 'helped.': [1] },
  })
  scholar.setWork({ DOI, title: ['Rest and recall'], subtitle: ['a trial'], 'container-title': ['Journal of Rest'] })
  server = await startServer({ env: { ...scholar.env, CONTACT_EMAIL: 'ops@example.org' } })
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
  browser = await openBrowser()
  ;({ page, problems } = await signedInPage(browser, ada))
  await page.goto('/projects')
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
  await scholar.stop()
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog', { name: 'Look up' })
const option = (field: string, name: RegExp) =>
  dialog().getByRole('radiogroup', { name: field }).getByRole('radio', { name })
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data

describe('a paper without a PDF', () => {
  let id: string
  it('A paper without a PDF is marked in the list, and its page and its chat explain what is missing (MSG-108)', async () => {
    const body = { project_id: project, title: 'Rest announced', doi: '10.5555/closed', abstract: 'Rest helped.' }
    const added = (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data
    id = added.document.id
    await ada.job(added.job!.id)
    await page.goto(pages.documents('Naps'))
    const row = page.getByRole('row', { name: /Rest announced/ })
    await row.getByText('No PDF').waitFor()
    await row.getByRole('link', { name: 'Rest announced' }).click()
    await page.getByRole('heading', { name: 'This paper has no PDF yet' }).waitFor()
    expect(await page.getByText(/No open-access PDF was found for this paper\./).count()).toBe(1)
    expect(await page.getByText('Rest helped.').count()).toBe(1)
    expect(await button('Extract Text').isDisabled()).toBe(true)
    expect(await button('Analyze').isEnabled()).toBe(true)
    expect(await page.getByText('an analysis reads only the title and the abstract.').count()).toBe(1)
    expect(await accessibilityProblems(page)).toEqual([])
    await page.goto(pages.chat('Naps', id))
    await page.getByRole('heading', { name: 'No PDF yet' }).waitFor()
    expect(await page.getByText('Document source URL not found').count()).toBe(1)
  })

  it('A paper without a PDF gets the open-access PDF on a repeated search, a reason why not, or an upload', async () => {
    const other = (
      await ada.json<{ data: AddedPaper }>(api.papers(), { body: { project_id: project, title: 'By hand' } })
    ).data
    scholar.setCopies('10.5555/closed', [{ pdf: scholar.set('/files/shut.pdf', status(403)) }])
    await page.goto(pages.document('Naps', id))
    await button('Find open-access PDF').click()
    await page.getByText('No PDF could be fetched').first().waitFor()
    await page
      .getByRole('region', { name: 'This paper has no PDF yet' })
      .getByText(/The address answered 403\./)
      .waitFor()
    scholar.set('/files/shut.pdf', file(new Uint8Array(await readFile(PAPER))))
    await button('Find open-access PDF').click()
    await page.getByRole('heading', { name: 'This paper has no PDF yet' }).waitFor({ state: 'detached' })
    expect(await button('Extract Text').isEnabled()).toBe(true)
    await page.goto(pages.document('Naps', other.document.id))
    expect(await button('Find open-access PDF').count()).toBe(0)
    const choosing = page.waitForEvent('filechooser')
    await button('Upload PDF').click()
    await (await choosing).setFiles(PAPER)
    await page.getByText('The PDF was added to this document.').first().waitFor()
    await page.getByText('paper.pdf').waitFor()
    expect((await read(other.document.id)).source_url).not.toBeNull()
  })
})

describe('looking a paper up', () => {
  let id: string
  it('The metadata look-up shows in the edit form what both services report beside the current values, and saves the selected ones (EDIT-02)', async () => {
    const bytes = new Uint8Array(await readFile(PAPER))
    id = (await ada.upload(project, new File([bytes], 'rest.pdf'))).id
    await ada.json(api.document(id), {
      method: 'PATCH',
      body: { title: 'My own title', doi_link: DOI, publication_date: '2020-01-01' },
    })
    await page.goto(pages.documentEdit('Naps', id))
    await button('Look up').click()
    await option('Title', /^Now: My own title$/).waitFor()
    expect(await dialog().getByText('This paper was retracted.').count()).toBe(1)
    expect(await option('Title', /^Now/).isChecked()).toBe(true)
    expect(await option('Authors', /^OpenAlex: Ada Lovelace, Mary Somerville$/).isChecked()).toBe(true)
    expect(await dialog().getByRole('radiogroup', { name: 'DOI' }).count()).toBe(0)
    expect(await accessibilityProblems(page)).toEqual([])
    await option('Title', /^Crossref: Rest and recall: a trial$/).click()
    await dialog().getByRole('button', { name: 'Use chosen fields (4)' }).click()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Title', exact: true }).inputValue())
      .toBe('Rest and recall: a trial')
    expect(await read(id)).toMatchObject({ title: 'My own title', retracted: false })
    await button('Save Changes').click()
    await page.getByText('Document updated').first().waitFor()
    expect(await read(id)).toMatchObject({
      title: 'Rest and recall: a trial',
      authors: ['Ada Lovelace', 'Mary Somerville'],
      journal_name: 'Journal of Rest',
      publication_date: '2020-01-01',
      semantic_paperid: 'W300',
      retracted: true,
    })
  })

  it('A retracted paper is marked on its page, in the list, in the palette and in the chat', async () => {
    const mark = (place: ReturnType<Page['locator']>) => place.getByText('Retracted', { exact: true })
    await mark(page.getByRole('main')).waitFor()
    await page.goto(pages.documents('Naps'))
    await mark(page.getByRole('row', { name: /Rest and recall: a trial/ })).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('a trial')
    await mark(page.getByRole('option', { name: /Rest and recall: a trial/ })).waitFor()
    await page.goto(pages.chat('Naps', id))
    const head = page.locator('header:has(h1)')
    await mark(head).waitFor()
    expect(await mark(head).count()).toBe(1)
  })

  it('The metadata look-up is offered after an extraction, reports when no service has an answer, and accepts another title', async () => {
    const bytes = new Uint8Array(await readFile(PAPER))
    const fresh = (await ada.upload(project, new File([bytes], 'fresh.pdf'))).id
    scholar.set('/openalex/works/doi:10.5555/jsc.2025.0417', status(403))
    scholar.set('/crossref/works/10.5555/jsc.2025.0417', file('<html>', 'text/html'))
    await page.goto(pages.document('Naps', fresh))
    await button('Extract Text').click()
    await button('Start Extract').click()
    await page.getByText('can be checked with OpenAlex and Crossref').waitFor()
    const { doi_link } = await read(fresh)
    expect(doi_link).toBeNull()
    await button('Look up').click()
    await dialog().getByRole('textbox', { name: 'DOI or title' }).waitFor()
    await dialog()
      .getByText(/No paper with this DOI|Neither OpenAlex nor Crossref could be queried/)
      .waitFor()
    await dialog().getByRole('textbox', { name: 'DOI or title' }).fill('rest and recall in old age')
    await page.keyboard.press('Enter')
    await option('Title', /^OpenAlex: Rest and recall in old age$/).waitFor()
    await dialog().getByRole('button', { name: 'Choose all found' }).click()
    await dialog()
      .getByRole('button', { name: /^Save chosen fields/ })
      .click()
    await page.getByRole('heading', { name: /Rest and recall in old age/ }).waitFor()
    expect(await page.getByText('can be checked with OpenAlex and Crossref').count()).toBe(0)
    expect(await read(fresh)).toMatchObject({ doi_link: DOI, retracted: true, semantic_paperid: 'W300' })
    expect(problems.filter((line) => !/Failed to load resource/.test(line))).toEqual([])
  })

  it('A conflict in a field of the reference that the look-up filled asks which value to save (SHR-30)', async () => {
    const doi = '10.5555/volume.2020'
    scholar.setWork({ DOI: doi, title: ['Rest in volumes'], volume: '12' })
    const body = { project_id: project, title: 'Rest in volumes', doi, abstract: 'Rest helped.' }
    const { document } = (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data
    await ada.json(api.document(document.id), { method: 'PATCH', body: { reference: { volume: null } } })
    await page.goto(pages.documentEdit('Naps', document.id))
    await button('Look up').click()
    await option('Volume', /^Crossref: 12$/).click()
    await dialog()
      .getByRole('button', { name: /^Use chosen fields/ })
      .click()
    await ada.json(api.document(document.id), { method: 'PATCH', body: { reference: { volume: '9' } } })
    await button('Save Changes').click()
    const both = page.getByRole('dialog', { name: 'Changed in the meantime' })
    await both.getByRole('radio', { name: 'Keep mine: 12', checked: true }).waitFor()
    await both.getByRole('radio', { name: 'Take theirs: 9' }).click()
    await both.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**${pages.document('Naps', document.id)}`)
    expect((await read(document.id)).reference.volume).toBe('9')
  })
})
