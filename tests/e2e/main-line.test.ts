import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityProblems, closeContexts, newPage, openBrowser, type TestPage } from '#tests/helpers/browser.ts'
import { scanPdf } from '#tests/helpers/scan-pdf.ts'
import { startServer, type TestServer } from '#tests/helpers/server.ts'

/**
 * This file tests the main workflow of a new user in one browser, from the first page of an empty installation to a cited
 * answer.
 */

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url)
const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer })

let server: TestServer
let browser: Browser
let opened: TestPage
let page: Page
beforeAll(async () => {
  server = await startServer({ embedded: true })
  browser = await openBrowser()
  opened = await newPage(browser, { baseURL: server.url, height: 900 })
  page = opened.page
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

/** Waits for the notice with this title and text. Throws if several such notices are visible. */
async function toast(title: string, text = '') {
  const notice = page
    .getByRole('region', { name: 'Notifications' })
    .filter({ hasText: title })
    .filter({ hasText: text })
  await notice.waitFor({ timeout: 60_000 })
  expect(await notice.count()).toBe(1)
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })

/** Returns the letters and digits of a text in lower case. */
const letters = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

async function clean() {
  expect(await accessibilityProblems(page)).toEqual([])
}

it('A newcomer signs up, uploads papers, extracts, analyzes and vectorizes one, gets a cited answer, and reads a scan by OCR (AUTH-01, AUTH-03, AUTH-04, AUTH-07, AUTH-09, NAV-01, MSG-24, NAV-08, NAV-18, PROJ-04, PROJ-06, PROJ-07, MSG-08, DOCS-12, DOCS-14, STATE-15, DOC-04, DOC-08, DOC-16, EXTR-01, MSG-41, DOC-05, ANAL-01, ANAL-03, ANAL-17, MSG-51, STATE-19, DOC-03, VEC-04, MSG-43, MSG-44, STATE-20, CHAT-04, CHAT-09, CONST-33, CHAT-02, CHAT-14, MSG-113, MSG-30, EXTR-03, MSG-42, NAV-31, MSG-26)', async () => {
  // A visitor is sent to the sign-in page, signs up and signs in.
  await page.goto('/')
  await page.waitForURL('**/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByText('Password must be at least 6 characters long').waitFor()
  await clean()
  await page.getByLabel('Email').fill('ada@example.org')
  await page.getByLabel('Password', { exact: true }).fill('secret1')
  await button('Sign Up').click()
  await toast('Sign up successful', 'You can sign in now.')
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor()
  await page.getByLabel('Email').fill('ada@example.org')
  await page.getByLabel('Password', { exact: true }).fill('secret1')
  await button('Sign In').click()
  await page.waitForURL('**/projects')
  await page.goto('/auth')
  await page.waitForURL('**/projects')

  // The user creates a project with a research question and tags, and opens it.
  await button('New Project').first().click()
  await page.getByLabel('Name').fill('Naps & memory')
  await page.getByLabel('Research question').fill('Does a nap after learning protect memory?')
  // The user takes the steps one by one.
  await page.getByLabel('Process new documents automatically').click()
  await page.getByLabel('Tags').fill('sleep')
  await page.keyboard.press('Enter')
  await clean()
  await button(/^Create/).click()
  await toast('Project created', 'Your new project has been created successfully.')
  await page.waitForURL('**/Naps%20%26%20memory/overview')
  await page.getByRole('link', { name: 'Projects', exact: true }).click()
  await page.getByRole('article').filter({ hasText: 'Naps & memory' }).getByText('Default').waitFor()
  await clean()
  await page.getByRole('link', { name: 'Open' }).or(button('Open')).first().click()
  await page.waitForURL('**/Naps%20%26%20memory/overview')
  await page.getByText('Does a nap after learning protect memory?').waitFor()
  await clean()

  // The user uploads several papers. A file that is not a PDF is refused.
  await page.getByRole('navigation').getByRole('link', { name: 'Documents' }).first().click()
  await page.getByText('No documents found.').waitFor()
  await clean()
  await button('Upload Document').first().click()
  await page
    .locator('input[type=file]')
    .setInputFiles([
      pdf('paper.pdf', readFileSync(fixture('paper.pdf'))),
      pdf('paper-scan.pdf', Buffer.from(scanPdf([4]))),
      pdf('html-named.pdf', readFileSync(fixture('html-named.pdf'))),
    ])
  await clean()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Upload/ })
    .click()
  await page.getByRole('dialog').getByText('This file is not a PDF. Only PDF files are accepted.').waitFor()
  expect(
    await page
      .getByRole('dialog')
      .getByText(/^\d+ kB$/)
      .count(),
  ).toBeGreaterThan(0)
  expect(
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Upload|Cancel/ })
      .count(),
  ).toBe(0)
  await button('Done').click()
  await page.getByRole('row').filter({ hasText: 'paper.pdf' }).getByText('Pending').waitFor()
  await page.getByRole('row').filter({ hasText: 'paper-scan.pdf' }).getByText('Pending').waitFor()
  await clean()

  // The browser extracts the text.
  await page.getByRole('link', { name: 'paper.pdf', exact: true }).click()
  await page.getByText('No text extracted yet').waitFor()
  expect(await button('Analyze').isDisabled()).toBe(true)
  expect(await button('Vectorise').isDisabled()).toBe(true)
  await button('Extract Text').click()
  await page.getByRole('dialog', { name: 'Select Extraction Method' }).waitFor()
  await clean()
  await button('Start Extract').click()
  await toast('Success', 'Text extracted successfully')
  await page.getByText('[Page 1]').first().waitFor()

  // The analysis shows the evidence, each statement with its page.
  await button('Analyze').click()
  await page.getByRole('dialog', { name: 'Select Prompt' }).waitFor()
  expect(await button('Start Analysis').isDisabled()).toBe(true)
  await page.getByText('The built-in model quotes the paper').waitFor()
  expect(await page.getByRole('radio', { name: 'Structured evidence summary' }).innerText()).toContain(
    'Built-in (offline, extractive)',
  )
  await page.getByText('Structured evidence summary').click()
  await clean()
  await button('Start Analysis').click()
  await toast('Success', 'Document analyzing completed successfully.')
  await button('Re-analyze').waitFor()
  await page.getByText('Level 2').first().waitFor()
  await page.getByText('Built-in (offline, extractive)').first().waitFor()
  await clean()

  // The page link of an insight opens the reader and highlights the passage.
  {
    const insight = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Insights' }) })
      .getByRole('listitem')
      .first()
    const words = (await insight.innerText()).replace(/\s*p\. \d+\s*$/, '')
    await insight.getByRole('button').click()
    const mark = page.locator('[data-passage-page]')
    await mark.waitFor({ state: 'attached', timeout: 60_000 })
    expect(letters((await mark.getAttribute('data-highlighted'))!)).toBe(letters(words))
    await page.keyboard.press('Escape')
  }

  // The user vectorizes the paper. A second time is refused with a message.
  await button('Vectorise').click()
  await page.getByRole('menuitem', { name: 'Vectorize', exact: true }).click()
  await toast('Success', 'Document vectorization completed successfully')
  await page.getByRole('link', { name: 'Chat with PDF' }).waitFor()
  await button('Vectorise').click()
  await page.getByRole('menuitem', { name: 'Vectorize', exact: true }).click()
  await toast('Already Vectorized', 'This document has already been vectorized. Use the force option to re-vectorize.')

  // The answer to a question has citations that open the exact passage.
  {
    await page.getByRole('link', { name: 'Chat with PDF' }).click()
    await page.getByText(/^\d+ page\(s\)$/).waitFor()
    const question = page.getByRole('textbox', { name: /ask|question/i })
    await question.fill('How were participants assigned')
    await question.press('Shift+Enter')
    await question.fill('How were participants assigned to the groups?')
    await question.press('Enter')
    const answer = page.getByRole('article').last()
    await answer.getByText('Sources').waitFor()
    await answer
      .getByText(/^\d{1,3}\.\d%$/)
      .first()
      .waitFor()
    await clean()
    await answer
      .getByRole('button', { name: /p\. \d+/ })
      .first()
      .click()
    const mark = page.locator('[data-passage-page]')
    await mark.waitFor({ state: 'attached', timeout: 60_000 })
    const marked = letters((await mark.getAttribute('data-highlighted'))!)
    expect(marked.length).toBeGreaterThan(20)
    expect(letters(await answer.innerText())).toContain(marked)
    // The browser logs each refused call. The HTML file and the second vectorizing are refused as expected.
    expect(opened.problems.filter((problem) => !/status of (415|409)/.test(problem))).toEqual([])
  }

  // The chat accepts the document in the query parameter, and shows a message without a document.
  {
    const id = /document\/([^/]+)\/chat/.exec(page.url())![1]!
    await page.goto(`/Naps%20%26%20memory/chat?documentId=${id}`)
    await page.getByText(/^\d+ page\(s\)$/).waitFor()
    await page.goto('/Naps%20%26%20memory/chat')
    await toast('No document selected. Please select a document first.')
    await page.waitForURL('**/Naps%20%26%20memory/documents')
  }

  // A scan has no text layer; the page recommends OCR, which reads it.
  await page.goto('/Naps%20%26%20memory/documents')
  await page.getByRole('link', { name: 'paper-scan.pdf', exact: true }).click()
  await button('Extract Text').click()
  await button('Start Extract').click()
  await page.getByRole('dialog').getByText(/OCR/).first().waitFor()
  await page
    .getByRole('dialog')
    .getByText(/recommend/i)
    .first()
    .waitFor({ timeout: 60_000 })
  await page.getByRole('dialog').getByText('The pages of this file are images').waitFor()
  await toast('Error extracting text', 'Failed to extract text')
  await page.getByRole('radio', { name: 'Option 2: OCR by AI', checked: true }).waitFor()
  await page.getByRole('radio', { name: /OCR by AI/ }).click()
  await button('Start Extract').click()
  await toast('Success', 'Text extracted successfully using the OCR')
  await page.getByText('[Page 1]').first().waitFor()

  // The user signs out.
  await button('User menu').click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await toast('Signed out successfully', 'You have been signed out of your account.')
  await page.waitForURL('**/auth')
}, 600_000)
