import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Job, JOB_CANCELLED } from '#shared/contract/jobs.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/** This file tests the page of a document against the specification: its content, its dialogs and its error messages. */

const PROJECT = 'Papers'
const bytes = readFileSync(new URL('../fixtures/paper.pdf', import.meta.url))
const words = readFileSync(new URL('../fixtures/paper.txt', import.meta.url), 'utf8')
const FIELDS = ['Summary', 'Insights', 'Recommendations', 'Social Post', 'Evidence Level', 'Keywords']
const FACTS = ['Citation key', 'Journal', 'Publication Date', 'DOI', 'Filename']

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
let project: string
let full: string
let bare: string
beforeAll(async () => {
  browser = await openBrowser()
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: PROJECT } })).data.id
  bare = await upload('bare.pdf')
  full = await upload('full.pdf')
  await ada.json(api.documentText(full), { method: 'PUT', body: { extracted_text: `[Page 1]\n${words}` } })
  const body = {
    title: 'Walks and sleep',
    journal_name: 'Gait Today',
    publication_date: '2025-03-04',
    doi_link: '10.5555/gait.1',
    summary: 'Walks helped.',
    insights: ['One.', 'Two.'],
    lifestyle_recommendations: 'Walk.',
    social_post: 'Walks help!',
    evidence_level: 'Level 2: Randomised controlled trial',
    keywords: ['walks', 'sleep'],
  }
  await ada.json(api.document(full), { method: 'PATCH', body })
  page = (await signedInPage(browser, ada)).page
})
afterEach(() => page.unrouteAll())
afterAll(() => closeContexts(browser))

const upload = async (name: string) =>
  (await ada.upload(project, new File([bytes], name, { type: 'application/pdf' }))).id
const button = (name: string) => page.getByRole('button', { name, exact: true })
const open = async (id: string, title: string) => {
  await page.goto(pages.document(PROJECT, id))
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}
const choose = async (menu: string, item: string) => {
  await button(menu).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Waits for the notice with this title and sentence. Returns its whole text. */
async function notice(title: string, sentence = '') {
  const shown = page.getByRole('region', { name: 'Notifications' }).filter({ hasText: title })
  await shown.filter({ hasText: sentence }).waitFor()
  return shown.innerText()
}
/** Makes all requests with this method and path fail with an error body of the server. By default, its message is empty. */
const fail = (method: string, path: string, message = '', status = 500) =>
  page.route(`**${path}`, (route) =>
    route.request().method() === method
      ? route.fulfill({ status, json: { error: { code: 'internal', message } } })
      : route.fallback(),
  )
/** Delays all requests with this method and path until the returned function is called. */
async function hold(method: string, path: string): Promise<() => void> {
  let letGo = () => {}
  const gate = new Promise<void>((open) => (letGo = open))
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === method) await gate
    await route.fallback()
  })
  return letGo
}

describe('the read view', () => {
  it('The read view shows a spinner while the document loads (DOC-18)', async () => {
    const letGo = await hold('GET', api.document(bare))
    await page.goto(pages.document(PROJECT, bare))
    await page.getByLabel('Loading document').or(page.getByText('Loading document')).first().waitFor()
    letGo()
    await page.getByRole('heading', { name: 'bare.pdf', level: 1 }).waitFor()
    expect(await page.getByText('Loading document').count()).toBe(0)
  })

  it('The read view shows the filename without a title, and only the fields that have a value (DOC-02, DOC-09, DOC-10)', async () => {
    await open(bare, 'bare.pdf')
    for (const name of FIELDS) expect([name, await page.getByRole('heading', { name }).count()]).toEqual([name, 0])
    expect(await page.locator('main header dt').allInnerTexts()).toEqual([])
    await open(full, 'Walks and sleep')
    for (const name of FIELDS) expect([name, await page.getByRole('heading', { name }).count()]).toEqual([name, 1])
    expect((await page.locator('main header dt').allInnerTexts()).toSorted()).toEqual(FACTS.toSorted())
    expect(await page.locator('main header').innerText()).toContain('full.pdf')
  })

  it('The read view has the text in a scrolling box of at most 500 px (DOC-15)', async () => {
    await open(full, 'Walks and sleep')
    const box = page.getByRole('region', { name: 'Original text' })
    await box.getByText('[Page 1]').waitFor()
    const size = await box.evaluate((node) => [node.getBoundingClientRect().height, node.scrollHeight] as const)
    expect(size[0]).toBeLessThanOrEqual(500)
    expect(size[1]).toBeGreaterThan(500)
  })

  it("The read view has the menus 'Vectorise' and 'Actions' (DOC-06, DOC-07)", async () => {
    await open(full, 'Walks and sleep')
    const items = async (menu: string) => {
      await button(menu).click()
      await page.getByRole('menuitem').first().waitFor()
      const texts = await page.getByRole('menuitem').allInnerTexts()
      await page.keyboard.press('Escape')
      return texts
    }
    expect(await items('Vectorise')).toEqual(['Vectorize', 'Force Re-vectorize'])
    expect(await items('Actions')).toEqual(expect.arrayContaining(['Edit document', 'Delete document']))
  })

  it('The button and the filename open the read view, which shows the pages beside the record', async () => {
    await open(full, 'Walks and sleep')
    const reader = page.getByRole('dialog', { name: 'Reader' })
    await button('Read the PDF').click()
    await reader.waitFor()
    await page.keyboard.press('Escape')
    await reader.waitFor({ state: 'detached' })
    await button('full.pdf').click()
    await reader.waitFor()
    await page.keyboard.press('Escape')
    await reader.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('full.pdf')
  })

  it('The reader beside the record is still open after a reload, and Back then closes it', async () => {
    await open(full, 'Walks and sleep')
    const reader = page.getByRole('dialog', { name: 'Reader' })
    await button('Read the PDF').click()
    await reader.waitFor()
    await page.reload()
    await reader.waitFor()
    await page.goBack()
    await reader.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(pages.document(PROJECT, full))
  })
})

describe('the reader beside a paper', () => {
  afterEach(() => page.setViewportSize({ width: 1280, height: 800 }))

  it('Back closes the reader and stays on the page, and closing it leaves the page at its position', async () => {
    await page.setViewportSize({ width: 1280, height: 400 })
    await page.goto(pages.documents(PROJECT))
    await page.getByRole('link', { name: 'Walks and sleep' }).first().click()
    const reader = page.getByRole('dialog', { name: 'Reader' })
    await button('Read the PDF').click()
    await reader.waitFor()
    await page.goBack()
    await reader.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(pages.document(PROJECT, full))
    await page.getByRole('heading', { name: 'Walks and sleep', level: 1 }).waitFor()

    await button('Read the PDF').click()
    await reader.waitFor()
    const position = () => page.evaluate(() => Math.round(scrollY))
    await page.evaluate(() => scrollTo({ top: 300, behavior: 'instant' }))
    expect(await position()).toBe(300)
    await page.getByRole('button', { name: 'Close reader' }).click()
    await reader.waitFor({ state: 'detached' })
    await page.waitForFunction(() => !('reading' in history.state))
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await position()).toBe(300)
    await page.goBack()
    await page.waitForURL(`**${pages.documents(PROJECT)}`)
  })
})

describe('the extraction dialog', () => {
  it('The extraction dialog describes both options, names the OCR that is used, and can be cancelled (EXTR-02, EXTR-03, EXTR-04, EXTR-06, STATE-24)', async () => {
    await open(bare, 'bare.pdf')
    await button('Extract Text').click()
    const dialog = page.getByRole('dialog', { name: 'Select Extraction Method' })
    const text = await dialog.innerText()
    for (const part of ['here in the browser', 'Simple', 'may not work on scanned', 'OCR by AI', 'better for scans'])
      expect(text).toContain(part)
    expect(text).toMatch(/Uses .*built-in/i)
    await dialog.getByRole('radio', { name: /Option 2/ }).click()
    const language = dialog.getByRole('combobox', { name: 'Language of the scanned pages' })
    expect(await language.innerText()).toBe('English')
    await language.click()
    await expect
      .poll(() => page.getByRole('option').allInnerTexts())
      .toEqual(['English', 'German', 'French', 'Italian', 'Korean', 'Dutch', 'Portuguese', 'Spanish'])
    await page.getByRole('option', { name: 'German' }).click()
    expect(await language.innerText()).toBe('German')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  it('Cancel during the request for OCR cancels OCR as soon as it has started', async () => {
    const id = await upload('cancelled.pdf')
    await open(id, 'cancelled.pdf')
    const letGo = await hold('POST', api.documentExtract(id))
    await button('Extract Text').click()
    await page.getByRole('radio', { name: /Option 2/ }).click()
    await button('Start Extract').click()
    await button('Extracting...').waitFor()
    await button('Cancel').click()
    letGo()
    await notice('Cancelled', 'Nothing was changed.')
    const { data } = await ada.json<{ data: Job[] }>(api.jobs({ document_id: id }))
    expect(data).toMatchObject([{ kind: 'ocr', status: 'failed', error: JOB_CANCELLED }])
    await button('Cancel').click()
  })

  it('Cancel of an extraction that another member started says that it continues', async () => {
    const id = await upload('shared.pdf')
    const ben = await signUp(server.url)
    await inDatabase(
      server,
      `insert into jobs (created_by, kind, document_id, project_id, input) values ($1, 'ocr', $2, $3, '{"protected": false}')`,
      [ben.userId, id, project],
    )
    await open(id, 'shared.pdf')
    await button('Extract Text').click()
    const dialog = page.getByRole('dialog', { name: 'Select Extraction Method' })
    await dialog.getByRole('radio', { name: /Option 2/ }).click()
    const joined = page.waitForResponse((response) => response.url().endsWith(api.documentExtract(id)))
    await button('Start Extract').click()
    expect((await joined).status()).toBe(202)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByRole('alert').getByText('Another member started this extraction. It continues.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await inDatabase(server, 'delete from jobs where document_id = $1', [id])
  })

  it("The button reads 'Extracting...' during an extraction, and a notice shows why it failed (EXTR-04, MSG-30)", async () => {
    await open(bare, 'bare.pdf')
    await fail('PUT', api.documentText(bare), 'The disk is full.')
    const letGo = await hold('PUT', api.documentText(bare))
    await button('Extract Text').click()
    await button('Start Extract').click()
    await button('Extracting...').waitFor()
    expect(await button('Extracting...').isDisabled()).toBe(true)
    letGo()
    expect(await notice('Error extracting text')).toContain('The disk is full.')
    await button('Cancel').click()
  })
})

describe('the analysis', () => {
  const start = async () => {
    await button('Analyze').click()
    await page.getByRole('radio').first().click()
    await button('Start Analysis').click()
  }

  it('The analysis can be cancelled before it starts (ANAL-02, STATE-24)', async () => {
    await open(full, 'Walks and sleep')
    await button('Analyze').click()
    const dialog = page.getByRole('dialog', { name: 'Select Prompt' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await button('Analyze').isEnabled()).toBe(true)
  })

  it("The button reads 'Analyzing...' during an analysis, and a notice reports a failed first analysis (ANAL-04, MSG-31, STATE-21)", async () => {
    await open(full, 'Walks and sleep')
    await fail('POST', api.documentAnalyze(full))
    const letGo = await hold('POST', api.documentAnalyze(full))
    await start()
    await button('Analyzing...').waitFor()
    expect(await button('Analyzing...').isDisabled()).toBe(true)
    letGo()
    expect(await notice('Error analyzing document')).toContain('Failed to analyze document')
  })

  it.each([
    ['Request too large for this model', 'This document is too long to analyze.'],
    ['a non-2xx status code', 'The analysis service is currently unavailable. Please try again later.'],
    ['No analysis data received from the service', 'No analysis data received from the service'],
    ['Failed to create journal', 'Failed to create journal'],
  ])(
    'An analysis that fails with “%s” is explained (MSG-31, MSG-47, MSG-48, MSG-49, MSG-50)',
    async (message, shown) => {
      await open(full, 'Walks and sleep')
      await fail('POST', api.documentAnalyze(full), message)
      await start()
      expect(await notice('Error analyzing document', shown)).toContain(shown)
    },
  )

  it("A repeated analysis is called 'refreshing' when it ends and when it fails (MSG-32, MSG-52, STATE-21)", async () => {
    await open(full, 'Walks and sleep')
    await start()
    await notice('Success', 'Document analyzing completed successfully.')
    const again = async () => {
      await button('Re-analyze').click()
      await page.getByRole('radio').first().click()
      await button('Start Analysis').click()
    }
    await again()
    await notice('Success', 'Document refreshing completed successfully.')
    await fail('POST', api.documentAnalyze(full))
    await again()
    expect(await notice('Error refreshing document')).toContain('Failed to refresh document')
  })
})

describe('vectors', () => {
  it.each([
    ['No text available to vectorize', 'No text available to vectorize'],
    ['', 'Failed to vectorize document'],
  ])('Vectors that fail with “%s” are explained (MSG-45, MSG-46)', async (message, shown) => {
    await page.goto(pages.document(PROJECT, full))
    await fail('POST', api.documentVectorize(full), message, 422)
    await choose('Vectorise', 'Vectorize')
    expect(await notice('Error', shown)).toContain(shown)
  })
})

describe('the edit form', () => {
  const change = async () => {
    await page.goto(pages.documentEdit(PROJECT, full))
    await page.getByLabel('Summary').fill(`Walks helped ${Math.random()}.`)
    await button('Save Changes').click()
  }

  it('The edit form has its ten fields, and no select in it has an empty value (EDIT-15, EDIT-02)', async () => {
    await page.goto(pages.documentEdit(PROJECT, full))
    const labels = [
      'Title',
      'DOI link',
      'Publication date',
      'Journal',
      'Summary',
      'Lifestyle recommendations',
      'Evidence level',
      'Keywords',
      'Social post',
      'Insights',
    ]
    await page.getByLabel('Title').waitFor()
    for (const name of labels)
      expect([
        name,
        await page.getByRole('textbox', { name }).or(page.getByRole('combobox', { name })).count(),
      ]).toEqual([name, 1])
    expect(await page.locator('option[value=""]').count()).toBe(0)
  })

  it('The edit form accepts a keyword once, and suggests those of the tags (EDIT-08, EDIT-09, EDIT-10, EDIT-12)', async () => {
    await page.goto(pages.documentEdit(PROJECT, full))
    const keywords = page.getByRole('textbox', { name: 'Keywords' })
    await keywords.waitFor()
    const chips = () => page.locator('form [data-slot=chip]').allInnerTexts()
    const before = await chips()
    await keywords.fill('dusk')
    await keywords.press('Enter')
    for (const word of ['DUSK', '   ']) {
      await keywords.fill(word)
      await keywords.press('Enter')
    }
    expect(await chips()).toEqual([...before, 'dusk'])
    await keywords.fill('')
    await page.getByRole('group', { name: 'Suggestions' }).getByRole('button').first().waitFor()
    expect(page.url()).toContain('/edit')
  })

  it("The button reads 'Saving...' while the form saves, and is disabled (EDIT-16, STATE-24)", async () => {
    const letGo = await hold('PATCH', api.document(full))
    await change()
    await button('Saving...').waitFor()
    expect(await button('Saving...').isDisabled()).toBe(true)
    letGo()
    await notice('Document updated', 'Changes saved successfully')
  })

  it("The edit form shows 'Error updating document' with the reason of the server, and 'Failed to save document' without one (MSG-33, MSG-28)", async () => {
    await fail('PATCH', api.document(full), 'The journal is too long.', 422)
    await change()
    expect(await notice('Error updating document')).toContain('The journal is too long.')
    await page.unrouteAll()
    await page.route(`**${api.document(full)}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
    await button('Save Changes').click()
    expect(await notice('Error', 'Failed to save document')).toContain('Failed to save document')
    await page.unrouteAll()
    await button('Save Changes').click()
    await notice('Document updated')
  })
})

describe('the list', () => {
  it('The list shows the progress of an upload, and then why it failed (MSG-34, STOR-04)', async () => {
    await page.goto(pages.documents(PROJECT))
    await fail('POST', api.documents(), 'The disk is full.')
    const letGo = await hold('POST', api.documents())
    await button('Upload Document').first().click()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'late.pdf', mimeType: 'application/pdf', buffer: bytes })
    await button('Upload').click()
    await page.getByRole('progressbar', { name: 'Uploading late.pdf' }).waitFor()
    letGo()
    expect(await notice('Error', 'Failed to upload late.pdf')).toContain('Failed to upload late.pdf: The disk is full.')
  })

  it("The list shows a local date, and 'View' opens the document (DOCS-15, DOCS-18)", async () => {
    // The analysis has found another title.
    const { data } = await ada.json<{ data: { created_at: string } }>(api.document(full), {
      method: 'PATCH',
      body: { title: 'Walks and sleep' },
    })
    await page.goto(pages.documents(PROJECT))
    const row = page.getByRole('row').filter({ hasText: 'Walks and sleep' })
    const short = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const
    await row.getByText(new Date(data.created_at).toLocaleDateString('en-US', short)).waitFor()
    await button('Actions for Walks and sleep').click()
    await page.getByRole('menuitem', { name: 'View' }).click()
    await page.waitForURL(`**/document/${full}`)
    const title = page.getByRole('heading', { name: 'Walks and sleep', level: 1 })
    await title.waitFor()
    expect(await title.count()).toBe(1)
  })

  it('The list offers 10, 20, 30, 40 and 50 rows a page, and no empty choice (DOCS-23, EDIT-15)', async () => {
    for (let n = 0; n < 9; n++) await upload(`more-${n}.pdf`)
    await page.goto(pages.documents(PROJECT))
    const select = page.getByRole('combobox', { name: 'Rows per page' })
    await select.waitFor()
    await select.click()
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['10', '20', '30', '40', '50'])
    expect(await page.locator('option[value=""]').count()).toBe(0)
  })

  it("The document page shows 'Error deleting document' when the deletion fails (MSG-29)", async () => {
    await open(bare, 'bare.pdf')
    await fail('DELETE', api.document(bare), 'The disk is full.')
    await choose('Actions', 'Delete document')
    await button('Delete document').click()
    expect(await notice('Error deleting document')).toContain('The disk is full.')
  })
})
