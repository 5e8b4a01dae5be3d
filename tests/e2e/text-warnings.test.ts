import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/** This file tests files that cannot be read completely: the messages that the page shows for each extraction method. */

const DAMAGED = 'This file is damaged and cannot be read as a PDF.'
const SPARSE = 'Hardly any text was found. The file may be damaged or hard to read: compare the text with its pages.'
const truncated = new Uint8Array(readFileSync(new URL('../fixtures/truncated.pdf', import.meta.url)))

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
let project: string
beforeAll(async () => {
  browser = await openBrowser()
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Papers' } })).data.id
  page = (await signedInPage(browser, ada)).page
})
afterAll(() => closeContexts(browser))

const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>) =>
  (await ada.upload(project, new File([bytes], name, { type: 'application/pdf' }))).id
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const button = (name: string) => page.getByRole('button', { name, exact: true })
const notice = (words: string) => page.getByRole('region', { name: 'Notifications' }).getByText(words).waitFor()
const openExtraction = async (id: string) => {
  await page.goto(pages.document('Papers', id))
  await button('Extract Text').click()
  return page.getByRole('dialog', { name: 'Select Extraction Method' })
}

it('A damaged file has the same status and reason from the browser as from the server, and OCR is not proposed for it', async () => {
  const byServer = await upload('server.pdf', truncated)
  const { data: job } = await ada.json<{ data: Job }>(api.documentExtract(byServer), { body: { method: 'text' } })
  await ada.job(job.id)
  const id = await upload('browser.pdf', truncated)
  const dialog = await openExtraction(id)
  await button('Start Extract').click()
  await notice(DAMAGED)
  await dialog.getByRole('alert').getByText(DAMAGED).waitFor()
  expect(await dialog.getByRole('radio', { name: /Option 1/ }).isChecked()).toBe(true)
  expect(await dialog.getByText('Recommended').count()).toBe(0)
  await button('Cancel').click()
  const outcome = ({ status, status_message }: DocumentDetail) => [status, status_message]
  expect(outcome(await read(id))).toEqual(['error', DAMAGED])
  expect(outcome(await read(byServer))).toEqual(['error', DAMAGED])
  await page.getByRole('main').getByText(DAMAGED).waitFor()
})

it('A partly damaged file keeps the text of its other pages and reports the missing ones', async () => {
  const lines = ['Forty people walked for an hour.', 'Their sleep began earlier than before.']
  const id = await upload('half.pdf', onePagePdf(lines, { damagedPages: 1 }))
  const dialog = await openExtraction(id)
  await button('Start Extract').click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Some pages of this file are damaged. Their text is missing.').waitFor()
  await page.getByText('Forty people walked for an hour.').first().waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})

it('OCR that finds hardly any text warns on the document, and in the summary and the notice of a bulk run', async () => {
  const id = await upload('nap.pdf', onePagePdf(['Nap']))
  await page.goto('/Papers/documents')
  await page.getByRole('checkbox', { name: 'Select nap.pdf' }).click()
  await button('Extract Text').click()
  await page.getByRole('radio', { name: 'OCR by AI' }).click()
  await button('Start').click()
  const end = page.getByRole('region', { name: 'Result of the processing' })
  await end.getByText('1 of 1 document processed. 1 with a warning.').waitFor()
  await notice('1 of 1 document processed. 1 with a warning.')
  await end.getByText(SPARSE).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await end.getByRole('link', { name: 'nap.pdf' }).click()
  await page.waitForURL(`**/document/${id}`)
  await page.getByRole('main').getByText(SPARSE).waitFor()
  expect((await read(id)).status).toBe('completed')
})

it('OCR that finds less text than the paper has asks which text to use', async () => {
  const hiddenLines = ['Readers do not see the words', 'of this text layer on the page,', 'but they are in the file.']
  const id = await upload('hidden.pdf', onePagePdf(['Forty people walked for an hour.'], { hiddenLines }))
  const { data: job } = await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'text' } })
  await ada.job(job.id)
  await openExtraction(id)
  await page.getByRole('radio', { name: /Option 2/ }).click()
  await button('Start Extract').click()
  const choice = page.getByRole('region', { name: 'Choice of the text' })
  await choice.getByText('OCR found less text than this paper has', { exact: false }).waitFor()
  await choice.getByText('Beginning of the text by OCR').click()
  await choice.getByText('Forty people walked for an hour.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect((await read(id)).extracted_text).toContain('Readers do not see')
  await choice.getByRole('button', { name: 'Use the text by OCR' }).click()
  await choice.waitFor({ state: 'detached' })
  expect((await read(id)).extracted_text).not.toContain('Readers do not see')
})
