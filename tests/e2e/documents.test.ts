import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DocumentRow } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import {
  accessibilityProblems,
  clickAfterFailure,
  closeContexts,
  openBrowser,
  signedInPage,
} from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
const TITLES = [
  'Alpha waves',
  'Beta blockers',
  'Gamma rays',
  'Delta sleep',
  'Epsilon bands',
  'Zeta scores',
  'Eta squared',
  'Theta rhythm',
  'Iota words',
  'Kappa agreement',
  'Lambda cells',
  'Mu opioids',
]

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
let first: string
let second: string
let readable: string
beforeAll(async () => {
  ada = await signUp(server.url)
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Waves' } })
  await ada.json(api.projects(), { body: { name: 'Empty' } })
  const pdf = readFileSync(fixture('paper.pdf'))
  for (const [index, title] of TITLES.entries()) {
    const { id } = await ada.upload(data.id, new File([pdf], `paper-${index}.pdf`, { type: 'application/pdf' }))
    first ??= id
    if (title === 'Beta blockers') second = id
    if (title === 'Zeta scores') readable = id
    const authors = title === 'Beta blockers' ? { authors: ['Ada Berg', 'Ben Aas', 'Cy Cole'] } : {}
    const marks = index < 2 ? { keywords: ['eeg'], evidence_level: 'Level 2: Randomised controlled trial' } : {}
    await ada.json(api.document(id), {
      method: 'PATCH',
      body: { title, doi_link: `${index === 11 ? 'https://doi.org/' : ''}10.5555/waves.2025`, ...authors, ...marks },
    })
  }
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
beforeEach(() => page.unrouteAll())
afterAll(() => closeContexts(browser))

const notice = (words: string) =>
  page.getByRole('region', { name: 'Notifications' }).filter({ hasText: words }).waitFor()
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const titles = () => page.locator('tbody tr:has(a) td:nth-child(2)').allInnerTexts()
const row = (title: string) => page.getByRole('row').filter({ hasText: title })

describe('the table', () => {
  it('The table shows ten rows, newest first, and has pages (DOCS-10, DOCS-13, DOCS-24, CONST-15)', async () => {
    await page.goto('/Waves/documents')
    await page.getByText('Page 1 of 2').waitFor()
    expect(await titles()).toEqual(TITLES.toReversed().slice(0, 10))
    await row('Mu opioids').getByText('10.5555/wa…').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await button('Last page').click()
    await page.getByText('Page 2 of 2').waitFor()
    await row('Alpha waves').waitFor()
    expect(new URL(page.url()).searchParams.get('page')).toBe('2')
  })

  it('The table sorts by a column, and stores the order in the address (DOCS-11)', async () => {
    await page.goto('/Waves/documents?page=2')
    // A click while the list loads can be lost.
    await row('Alpha waves').waitFor()
    await button('Title').click()
    await page.waitForURL(/sort=title\.asc/)
    await expect.poll(async () => (await titles())[0]).toBe('Alpha waves')
    await page.reload()
    await row('Alpha waves').waitFor()
    expect(await page.getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort')).toBe('ascending')
    await button('Authors').click()
    await page.waitForURL(/sort=authors\.asc/)
    await expect.poll(async () => (await titles())[0]).toBe('Beta blockers')
    await row('Beta blockers').getByText('Berg et al.').waitFor()
  })

  it('The table reports a page after the last page, and links to the last page (DOCS-22)', async () => {
    await page.goto('/Waves/documents?page=9')
    await page.getByText('No results.').waitFor()
    expect(await page.locator('tbody a').count()).toBe(0)
    await button('Previous page').click()
    await row('Alpha waves').waitFor()
    expect(new URL(page.url()).searchParams.get('page')).toBe('2')
    // There is only one page here, so there is no pager.
    await page.goto('/Waves/documents?search=rhythm&page=2')
    await button('Go to the last page').click()
    await row('Theta rhythm').waitFor()
    expect(new URL(page.url()).search).toBe('?search=rhythm')
  })

  it('The table shows the last page when the current page has lost its rows (DOCS-22)', async () => {
    await page.goto('/Waves/documents?page=2')
    await row('Beta blockers').waitFor()
    const deletions = await Promise.all(
      [first, second].map((id) => ada.fetch(api.document(id), { method: 'DELETE' }).then(({ status }) => status)),
    )
    expect(deletions).toEqual([200, 200])
    try {
      await row('Mu opioids').waitFor()
      expect(new URL(page.url()).search).toBe('')
    } finally {
      for (const id of [first, second]) await ada.json(api.documentRestore(id), { method: 'POST' })
    }
  })
})

describe('the list on a narrow screen', () => {
  afterEach(() => page.setViewportSize({ width: 1280, height: 800 }))

  it('The narrow list keeps its buttons inside the text, and shows no dash for a missing journal', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/Waves/documents')
    await row('Mu opioids').waitFor()
    const edges = await page.evaluate(() => {
      const right = (selector: string) => document.querySelector(selector)!.getBoundingClientRect().right
      return { button: right('tbody td:last-child button'), text: right('tbody tr') }
    })
    expect(edges.button).toBeLessThanOrEqual(edges.text)
    expect(await row('Mu opioids').getByText('—').filter({ visible: true }).count()).toBe(0)
    // The head of the table is one row, with selection and sorting.
    await button('Title').click()
    await page.waitForURL(/sort=title\.asc/)
    await expect.poll(async () => (await titles())[0]).toBe('Alpha waves')
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    const selection = page.getByRole('region', { name: 'Selection' })
    await selection.getByText('10 selected', { exact: true }).waitFor()
    await page.getByPlaceholder('Search documents...').fill('xylophone')
    await selection.getByText('10 selected, 10 not shown').waitFor()
    await page.getByPlaceholder('Search documents...').fill('')
    await selection.getByText('10 selected', { exact: true }).waitFor()
    await button('Clear selection').click()
  })
})

describe('search and filters', () => {
  it('The search finds documents, and reports when nothing matches (DOCS-01, DOCS-20)', async () => {
    await page.goto('/Waves/documents')
    await row('Mu opioids').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('rhythm')
    await page.waitForURL(/search=rhythm/)
    await row('Mu opioids').waitFor({ state: 'detached' })
    expect(await titles()).toEqual(['Theta rhythm'])
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Documents\s*1 of \d+$/)
    await page.getByPlaceholder('Search documents...').fill('xylophone')
    await page.getByRole('heading', { name: 'No documents found matching your search.' }).waitFor()
    await button('Clear search').click()
    await row('Mu opioids').waitFor()
  })

  it('The search finds words in the text and shows the place, best match first (DOCS-01)', async () => {
    await ada.json(api.documentText(readable), {
      method: 'PUT',
      body: { extracted_text: '[Page 1]\nWe saw the <i>zebrafish</i> sleeping at noon.' },
    })
    await page.goto('/Waves/documents?search=sleep')
    await row('Zeta scores').getByText('We saw the <i>zebrafish</i> sleeping at noon.').waitFor()
    expect(await row('Zeta scores').locator('mark').allInnerTexts()).toEqual(['sleeping'])
    expect((await titles()).map((text) => text.split('\n')[0])).toEqual(['Delta sleep', 'Zeta scores'])
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('The Back button undoes a filter, a sort order, a page and a whole search, each in one step (DOCS-01)', async () => {
    const state = () => Object.fromEntries(new URL(page.url()).searchParams)
    const back = async (expected: Record<string, unknown>) => {
      await page.goBack()
      await expect.poll(state).toEqual(expected)
    }
    const box = page.getByPlaceholder('Search documents...')
    await page.goto('/Waves/documents')
    await row('Mu opioids').waitFor()
    await button('Next page').click()
    await expect.poll(state).toEqual({ page: '2' })
    await button('Title').click()
    await expect.poll(state).toEqual({ sort: 'title.asc' })
    for (const words of ['z', 'zeta', 'sleep']) {
      await box.fill(words)
      await expect.poll(state).toEqual({ sort: 'title.asc', search: words })
    }
    await button('Filter').click()
    await page.getByRole('checkbox', { name: 'Error' }).click()
    await expect.poll(() => state()['status']).toContain('error')
    await page.keyboard.press('Escape')
    await back({ sort: 'title.asc', search: 'sleep' })
    await row('Delta sleep').waitFor()
    await back({ sort: 'title.asc' })
    await row('Alpha waves').waitFor()
    expect(await box.inputValue()).toBe('')
    await back({ page: '2' })
    await back({})
    await row('Mu opioids').waitFor()
    await page.goForward()
    await page.goForward()
    await page.goForward()
    await expect.poll(() => box.inputValue()).toBe('sleep')
  })

  it('The link back from a paper keeps the search, the sort order and the page of the list', async () => {
    await page.goto('/Waves/documents?sort=title.asc&page=2')
    await row('Zeta scores').getByRole('link', { name: 'Zeta scores' }).click()
    await page.getByRole('link', { name: 'Back to documents' }).click()
    await row('Zeta scores').waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ sort: 'title.asc', page: '2' })
  })

  it('The search keeps the typed text while a filter is selected', async () => {
    await page.goto('/Waves/documents')
    await row('Mu opioids').waitFor()
    await button('Filter').click()
    await page.getByRole('checkbox', { name: 'Pending' }).waitFor()
    // Both changes are in one task of the page, so the search is still pending when the filter is selected.
    await page.evaluate(() => {
      const box = document.querySelector<HTMLInputElement>('input[placeholder="Search documents..."]')!
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(box, 'waves')
      box.dispatchEvent(new Event('input', { bubbles: true }))
      const choice = [...document.querySelectorAll('label')].find((label) => label.textContent?.includes('Pending'))
      choice!.click()
    })
    await page.waitForURL(/search=waves/)
    expect(page.url()).toContain('pending')
  })

  it('The list is filtered by tag and evidence level, each shown as a removable chip (DOCS-02, DOCS-03, DOCS-04, DOCS-05, DOCS-06, DOCS-07, DOCS-08)', async () => {
    await page.goto('/Waves/documents')
    await button('Tags').click()
    await page.getByPlaceholder('Search tags...').fill('zzz')
    await page.getByText('No tags found.').waitFor()
    await page.getByPlaceholder('Search tags...').fill('EEG')
    await page.getByRole('checkbox', { name: 'eeg' }).click()
    await page.keyboard.press('Escape')
    await button('1 selected').waitFor()
    await button('Filter').click()
    await page.getByRole('checkbox', { name: /Level 2/ }).click()
    await page.getByRole('checkbox', { name: 'Pending' }).click()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await button('Filter 2').waitFor()
    await row('Mu opioids').waitFor({ state: 'detached' })
    expect((await titles()).toSorted()).toEqual(['Alpha waves', 'Beta blockers'])
    await button('Remove Level 2: Randomised controlled trial').click()
    await button('Clear filters').click()
    await row('Mu opioids').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('The filters report when their choices cannot be loaded, and load them on Retry (MSG-61)', async () => {
    await page.route('**/api/documents/filters?*', (route) => route.fulfill({ status: 400, body: '' }))
    await page.goto('/Waves/documents')
    await notice('Error fetching tags')
    await button('Filter').click()
    await page.getByRole('checkbox', { name: 'Pending' }).waitFor()
    await page.keyboard.press('Escape')
    await button('Tags').click()
    await clickAfterFailure(page, button('Retry'))
    await page.getByRole('checkbox', { name: 'eeg' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('An empty project explains what to do (DOCS-21, DOCS-25)', async () => {
    await page.goto('/Empty/documents')
    await page.getByRole('heading', { name: 'No documents found.' }).waitFor()
    expect(await page.getByText(/^Page \d/).count()).toBe(0)
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('An empty project offers a sample paper', async () => {
    await ada.json(api.projects(), { body: { name: 'Fresh' } })
    await page.goto('/Fresh/documents')
    await button('Add a sample paper').click()
    await notice('sample-paper.pdf uploaded successfully')
    await row('sample-paper.pdf').getByText('Pending').waitFor()
    expect((await titles()).length).toBe(1)
    expect(await accessibilityProblems(page)).toEqual([])
  })
})

/** Opens the documents of a new, empty project. Returns its id. */
async function openNew(name: string): Promise<string> {
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })
  await page.goto(`/${name}/documents`)
  await page.getByRole('heading', { name: 'No documents found.' }).waitFor()
  return data.id
}

describe('uploading', () => {
  it('The upload dialog asks for a file, refuses other types, and sends several files (DOCS-26, DOCS-27, DOCS-28)', async () => {
    await openNew('Several')
    await button('Upload Document').first().click()
    await button('Upload').click()
    await notice('Please select one or more files to upload')
    await page
      .locator('input[type=file]')
      .setInputFiles([fixture('paper.txt'), fixture('paper.pdf'), fixture('paper-scan.pdf')])
    await page.getByText('This file is not a PDF. Only PDF files are accepted.').waitFor()
    await button('Upload 2 papers').click()
    await notice('2 uploaded, 1 refused')
    await button('Done').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(async () => (await titles()).toSorted()).toEqual(['paper-scan.pdf', 'paper.pdf'])
  })

  it('The upload dialog reports a file that the user already has, with a link, before it is sent', async () => {
    await page.goto('/Empty/documents')
    await button('Upload Document').first().click()
    await page.locator('input[type=file]').setInputFiles([fixture('paper.pdf')])
    await page.getByText('You already have this file:').waitFor()
    expect(await page.getByRole('dialog').getByRole('link').getAttribute('href')).toBe(`/Waves/document/${first}`)
    expect(await accessibilityProblems(page)).toEqual([])
    await button('Discard paper.pdf').click()
    expect(await page.getByText('You already have this file:').count()).toBe(0)
    const copies = ['one.pdf', 'two.pdf'].map((name) => ({
      name,
      mimeType: 'application/pdf',
      buffer: readFileSync(fixture('garbled.pdf')),
    }))
    await page.locator('input[type=file]').setInputFiles(copies)
    await page.getByText('You have chosen this file twice: it is the same as one.pdf.').waitFor()
    await button('Discard two.pdf').click()
    expect(await page.getByText('You have chosen this file twice').count()).toBe(0)
    await button('Cancel').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('The upload dialog sends one failed file again by its own button (MSG-39)', async () => {
    await openNew('Retried')
    await page.route('**/api/documents', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await button('Upload Document').first().click()
    await page.locator('input[type=file]').setInputFiles([fixture('garbled.pdf')])
    await button('Upload').click()
    await button('Retry garbled.pdf').waitFor()
    await page.unroute('**/api/documents')
    await button('Retry garbled.pdf').click()
    await notice('garbled.pdf uploaded successfully')
    await button('Done').click()
    await row('garbled.pdf').waitFor()
    expect((await titles()).filter((title) => title === 'garbled.pdf').length).toBe(1)
    await button('Actions for garbled.pdf').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await button('Delete document').click()
    await row('garbled.pdf').waitFor({ state: 'detached' })
  })

  it('Tags are added to the selected documents and removed from them', async () => {
    const project = await openNew('Tagged')
    for (const [name, keywords] of [
      ['one', ['sleep', 'naps']],
      ['two', ['naps']],
    ] as const) {
      const file = new File([onePagePdf([name])], `${name}.pdf`, { type: 'application/pdf' })
      await ada.json(api.document((await ada.upload(project, file)).id), { method: 'PATCH', body: { keywords } })
    }
    await row('one.pdf').waitFor()
    await row('two.pdf').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await button('Tags…').click()
    const dialog = page.getByRole('dialog', { name: 'Tags of 2 documents' })
    expect(await button('Change tags').isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Add' }).fill('Walking')
    await dialog.getByRole('textbox', { name: 'Add' }).press('Enter')
    await dialog.getByRole('group', { name: 'Remove' }).getByRole('checkbox', { name: 'naps' }).check()
    expect(await accessibilityProblems(page)).toEqual([])
    await button('Change tags').click()
    await notice('Tags of 2 documents changed')
    await dialog.waitFor({ state: 'detached' })
    const { data } = await ada.json<{ data: DocumentRow[] }>(api.documents({ project_id: project }))
    const tagsOf = (filename: string) => data.find((one) => one.filename === filename)?.keywords
    expect(tagsOf('one.pdf')).toEqual(['sleep', 'Walking'])
    expect(tagsOf('two.pdf')).toEqual(['Walking'])
  })

  it('The tags dialog names the documents that were not changed, and repeats the change for them', async () => {
    const project = await openNew('Crowded')
    for (const [name, count] of [
      ['one', 1],
      ['two', 200],
    ] as const) {
      const file = new File([onePagePdf([name])], `${name}.pdf`, { type: 'application/pdf' })
      const keywords = Array.from({ length: count }, (_, at) => `tag ${at}`)
      await ada.json(api.document((await ada.upload(project, file)).id), { method: 'PATCH', body: { keywords } })
    }
    await row('one.pdf').waitFor()
    await row('two.pdf').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await button('Tags…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Add' }).fill('Walking')
    await dialog.getByRole('textbox', { name: 'Add' }).press('Enter')
    await button('Change tags').click()
    await dialog.getByText('Tags of 1 document changed. 1 document not changed:').waitFor()
    await dialog.getByText('A paper has at most 200 tags.').waitFor()
    expect(await dialog.getByRole('listitem').filter({ hasText: '.pdf' }).allTextContents()).toEqual(['two.pdf'])
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('dialog', { name: 'Tags of 1 document' }).waitFor()
    await dialog.getByRole('checkbox', { name: 'tag 7', exact: true }).check()
    await button('Change tags').click()
    await notice('Tags of 1 document changed')
    await dialog.waitFor({ state: 'detached' })
    const { data } = await ada.json<{ data: DocumentRow[] }>(api.documents({ project_id: project }))
    expect(data.map(({ keywords }) => keywords.includes('Walking'))).toEqual([true, true])
  })

  it('A bulk deletion asks once, and keeps the documents selected that could not be deleted (DOCS-10, DOCS-16, DOCS-29, DOCS-30, MSG-40)', async () => {
    const project = await openNew('Full')
    for (const name of ['one', 'two'])
      await ada.upload(project, new File([onePagePdf([name])], `${name}.pdf`, { type: 'application/pdf' }))
    await row('one.pdf').waitFor()
    await row('two.pdf').waitFor()
    await page.route(`**${api.documentsDelete()}`, (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'failed', message: 'The disk is full.' } } }),
    )
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await button('Bulk Delete (2)').click()
    await page.getByRole('alertdialog', { name: 'Are you sure you want to delete 2 documents?' }).waitFor()
    await button('Delete 2 documents').click()
    await notice('Failed to delete some documents:')
    await page.unrouteAll()
    await button('Bulk Delete (2)').click()
    await button('Delete 2 documents').click()
    await notice('Selected documents have been deleted')
    await page.getByRole('heading', { name: 'No documents found.' }).waitFor()
    expect(await page.getByRole('region', { name: 'Selection' }).count()).toBe(0)
  })
})

describe('one document', () => {
  it('A document is edited from its row (DOCS-17, DOCS-19, DOC-11, DOC-12, DOC-13, DOC-14, DOC-17, EDIT-01, EDIT-04, EDIT-11, EDIT-12, EDIT-13, MSG-37, CONST-21)', async () => {
    await page.goto('/Waves/documents?search=Alpha')
    await button('Actions for Alpha waves').click()
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['View', 'Edit', 'Delete'])
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.waitForURL(`**/document/${first}/edit`)
    await page.getByLabel('Publication date').fill('2025-03-04')
    await page.getByLabel('Journal').fill('Waves Quarterly')
    await page.getByLabel('Insights').fill('  One.  \n\n Two. ')
    expect(await button('Add').isDisabled()).toBe(true)
    const keywords = page.getByRole('textbox', { name: 'Keywords' })
    for (const word of ['EEG', 'alpha']) {
      await keywords.fill(word)
      await keywords.press('Enter')
    }
    expect(await accessibilityProblems(page)).toEqual([])
    await button('Save Changes').click()
    await notice('Changes saved successfully')
    await page.waitForURL(`**/document/${first}`)
    await page.getByText('March 04, 2025').waitFor()
    await page.getByText('Waves Quarterly').waitFor()
    await expect
      .poll(() =>
        page
          .getByRole('listitem')
          .filter({ hasText: /One\.|Two\./ })
          .count(),
      )
      .toBe(2)
    expect(await page.getByRole('complementary').locator('[data-slot=chip]').allInnerTexts()).toEqual(['eeg', 'alpha'])
    expect(await page.getByRole('link', { name: '10.5555/waves.2025' }).getAttribute('href')).toBe(
      'https://doi.org/10.5555/waves.2025',
    )
  })

  it('A document cannot be analyzed, vectorized or asked before its text is extracted (DOC-03, DOC-08)', async () => {
    await page.goto(`/Waves/document/${second}`)
    await page.getByText('No text extracted yet').waitFor()
    expect(await button('Analyze').isDisabled()).toBe(true)
    expect(await button('Vectorise').isDisabled()).toBe(true)
    expect(await page.getByRole('link', { name: 'Chat with PDF' }).count()).toBe(0)
  })

  it('The list and the page of a paper show why its vectors failed', async () => {
    const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Without vectors' } })
    const [paper] = await inDatabase(
      server,
      `insert into documents (created_by, project_id, filename, title, extracted_text, text_version, status)
        values ($1, $2, 'naps.pdf', 'Naps', '[Page 1]\nNaps helped.', 1, 'completed') returning id`,
      [ada.userId, data.id],
    )
    await inDatabase(
      server,
      `insert into jobs (kind, status, error, created_by, document_id, project_id, finished_at)
        values ('vectorize', 'failed', 'The model refused the request.', $1, $2, $3, now())`,
      [ada.userId, paper!['id'], data.id],
    )
    const reason = page.getByText('Vectorizing failed: The model refused the request.')
    await page.goto('/Without vectors/documents')
    await row('Naps').filter({ has: reason }).waitFor()
    await page.getByRole('link', { name: 'Naps' }).click()
    await page.getByRole('heading', { level: 1, name: 'Naps' }).waitFor()
    await reason.waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it("A document is not found under another project, and reports a read error with 'Back to documents' (DOC-19, NAV-10, DOC-01)", async () => {
    const back = page.getByRole('link', { name: 'Back to documents', exact: true })
    await page.goto(`/Empty/document/${first}`)
    await page.getByRole('heading', { name: 'Document not found' }).waitFor()
    expect(await back.getAttribute('href')).toBe('/Empty/documents')
    await page.route(`**${api.document(first)}`, (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'The shelf fell over.' } } }),
    )
    await page.goto(`/Waves/document/${first}`)
    await page.getByRole('heading', { name: 'The shelf fell over.' }).waitFor()
    expect(await back.getAttribute('href')).toBe('/Waves/documents')
    await page.unrouteAll()
  })

  it('After a document is deleted, the list opens (DOCS-31, DOC-20, MSG-38)', async () => {
    await page.goto(`/Waves/document/${first}`)
    await button('Actions').click()
    await page.getByRole('menuitem', { name: 'Delete document' }).click()
    await page.getByRole('alertdialog', { name: 'Are you sure you want to delete this document?' }).waitFor()
    await button('Delete document').click()
    await notice('Document was successfully deleted')
    await page.waitForURL('**/Waves/documents')
    expect((await ada.fetch(api.document(first))).status).toBe(404)
  })
})

describe.each([
  { width: 390, dark: false },
  { width: 390, dark: true },
  { width: 1280, dark: true },
])('at $width px, dark: $dark', ({ width, dark }) => {
  it('The list and a document are readable and fit the screen', async () => {
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/Waves/documents')
    await row('Mu opioids').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await page.getByRole('link', { name: 'Mu opioids' }).click()
    await page.getByRole('heading', { name: 'Mu opioids', level: 1 }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
})
