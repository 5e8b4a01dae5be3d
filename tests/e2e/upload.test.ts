import { readFileSync } from 'node:fs'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/**
 * This file tests the upload of several files: its progress, its summary, and the browser's confirmation if the user leaves the
 * page.
 */

const server = sharedServer()
let browser: Browser
let ada: Client
let projects = 0
beforeAll(async () => {
  browser = await openBrowser()
  ada = await signUp(server.url)
})
afterAll(() => closeContexts(browser))

const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(onePagePdf([name])) })
const page404 = readFileSync(new URL('../fixtures/html-named.pdf', import.meta.url))
const notPdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: page404 })
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' })

/** Opens the upload dialog on the documents page of a new project. */
async function openDialog(options: { width?: number; height?: number; dark?: boolean } = {}) {
  const name = `Uploads ${++projects}`
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })
  const { page } = await signedInPage(browser, ada, options)
  await page.goto(`/${encodeURIComponent(name)}/${options.width ? 'documents' : 'overview'}`)
  // Navigates inside the app, so that Back also stays in it.
  if (!options.width) await page.getByRole('navigation').getByRole('link', { name: 'Documents' }).first().click()
  await page.getByText('No documents found.').waitFor()
  await button(page, 'Upload Document').first().click()
  const dialog = page.getByRole('dialog', { name: 'Upload Document' })
  return { page, dialog, projectId: data.id, files: page.locator('input[type=file]') }
}

/** Delays all uploads until the returned function is called. */
async function holdUploads(page: Page): Promise<() => void> {
  let letGo = () => {}
  const gate = new Promise<void>((open) => (letGo = open))
  await page.route(`**${api.documents()}`, async (route) => {
    if (route.request().method() === 'POST') await gate
    await route.fallback()
  })
  return letGo
}

/** Returns whether the browser asks the user for confirmation before a reload. Cancels the reload in this case. */
async function asksBeforeReload(page: Page): Promise<boolean> {
  const asked = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.dismiss()
    return dialog.type() === 'beforeunload'
  })
  const reloaded = page.reload({ waitUntil: 'commit' }).then(
    () => false,
    // The confirmation was answered with 'Cancel', so no page is loaded.
    () => asked,
  )
  return Promise.race([asked, reloaded])
}

describe('a running upload', () => {
  it('The browser asks before a reload interrupts an upload, and not after its end', async () => {
    const { page, dialog, files, projectId } = await openDialog()
    const letGo = await holdUploads(page)
    await files.setInputFiles([pdf('one.pdf'), pdf('two.pdf')])
    await button(page, 'Upload 2 papers').click()
    await dialog.getByRole('progressbar', { name: 'Uploading one.pdf' }).waitFor()
    expect(await asksBeforeReload(page)).toBe(true)
    letGo()
    await notices(page).getByText('2 uploaded').waitFor()
    expect((await ada.json<{ count: number }>(api.documents({ project_id: projectId }))).count).toBe(2)
    expect(await asksBeforeReload(page)).toBe(false)
  })

  it('An upload continues when the user leaves the page inside the app, still asks before a reload, and reports its end', async () => {
    const { page, dialog, files, projectId } = await openDialog()
    const letGo = await holdUploads(page)
    await files.setInputFiles([pdf('one.pdf'), pdf('two.pdf'), notPdf('three.pdf')])
    await button(page, 'Upload 3 papers').click()
    await dialog.getByRole('progressbar', { name: 'Uploading one.pdf' }).waitFor()
    await page.goBack()
    await page.waitForURL('**/overview')
    await dialog.waitFor({ state: 'detached' })
    expect(await asksBeforeReload(page)).toBe(true)
    letGo()
    await notices(page).getByText('2 uploaded, 1 refused').waitFor()
    expect((await ada.json<{ count: number }>(api.documents({ project_id: projectId }))).count).toBe(2)
  })
})

it('An upload that is repeated after its response was lost creates one document', async () => {
  const { page, files, projectId } = await openDialog()
  const devTools = await page.context().newCDPSession(page)
  const urlPattern = `*${api.documents()}`
  await devTools.send('Fetch.enable', { patterns: [{ urlPattern, requestStage: 'Response' }] })
  devTools.once('Fetch.requestPaused', ({ requestId }) => {
    void devTools
      .send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      .then(() => devTools.send('Fetch.disable'))
  })
  await files.setInputFiles([pdf('one.pdf')])
  await button(page, /^Upload/)
    .last()
    .click()
  await button(page, 'Retry one.pdf').click()
  await notices(page).getByText('one.pdf uploaded successfully').waitFor()
  expect((await ada.json<{ count: number }>(api.documents({ project_id: projectId }))).count).toBe(1)
})

it('An upload names a file that was changed after it was selected', async () => {
  const { page, dialog, files } = await openDialog()
  const folder = await mkdtemp(join(tmpdir(), 'lectern-changed-'))
  const [changed, removed] = [join(folder, 'changed.pdf'), join(folder, 'removed.pdf')]
  for (const path of [changed, removed]) await writeFile(path, onePagePdf(['Before']))
  await files.setInputFiles([changed, removed])
  await dialog.getByText('removed.pdf').waitFor()
  await writeFile(changed, onePagePdf(['After the selection']))
  await utimes(changed, new Date(0), new Date(0))
  await rm(removed)
  await button(page, 'Upload 2 papers').click()
  await dialog.getByText('0 uploaded, 2 refused').waitFor()
  const message = 'This file was changed, moved or deleted after you chose it. Choose it again.'
  expect(await dialog.getByText(message).count()).toBe(2)
  await rm(folder, { recursive: true })
})

it('Files that are dropped on the page during an upload are uploaded with it', async () => {
  const { page, dialog, files, projectId } = await openDialog()
  const letGo = await holdUploads(page)
  await files.setInputFiles(pdf('one.pdf'))
  await button(page, 'Upload').click()
  await dialog.getByRole('progressbar', { name: 'Uploading one.pdf' }).waitFor()
  const dataTransfer = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], 'two.pdf', { type: 'application/pdf' }))
      return transfer
    },
    [...onePagePdf(['two.pdf'])],
  )
  await page.locator('main').dispatchEvent('drop', { dataTransfer })
  await dialog.getByText('two.pdf').waitFor()
  letGo()
  await notices(page).getByText('2 uploaded').waitFor()
  expect((await ada.json<{ count: number }>(api.documents({ project_id: projectId }))).count).toBe(2)
})

describe('an upload above the limit of files', () => {
  /**
   * Answers with status 429 and Retry-After from the second upload until the page has waited. Returns the number of answers.
   */
  async function limitUploads(page: Page, seconds: number) {
    const begin = await page.evaluate(() => Date.now())
    let [calls, refused] = [0, 0]
    await page.route(`**${api.documents()}`, async (route) => {
      if (route.request().method() !== 'POST' || ++calls === 1) return route.fallback()
      if ((await page.evaluate(() => Date.now())) >= begin + seconds * 1000) return route.fallback()
      refused += 1
      const error = { code: 'too_many', message: 'Too many files in a short time. Please try again in a few minutes.' }
      return route.fulfill({ status: 429, headers: { 'retry-after': String(seconds) }, json: { error } })
    })
    return () => refused
  }

  it('An upload waits for the time that the server requests, shows this, and continues by itself', async () => {
    const { page, dialog, files, projectId } = await openDialog()
    await page.clock.install()
    const refused = await limitUploads(page, 540)
    await files.setInputFiles(['one.pdf', 'two.pdf', 'three.pdf', 'four.pdf'].map(pdf))
    await button(page, 'Upload 4 papers').click()
    await dialog.getByText(/many files in a short time\. The upload continues by itself at \d\d:\d\d\./).waitFor()
    await dialog.getByLabel('Uploaded').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await asksBeforeReload(page)).toBe(true)
    await page.clock.fastForward(541_000)
    await notices(page).getByText('4 uploaded').waitFor()
    expect(refused()).toBeLessThanOrEqual(2)
    expect((await ada.json<{ count: number }>(api.documents({ project_id: projectId }))).count).toBe(4)
  })

  it('A waiting upload can be cancelled', async () => {
    const { page, dialog, files } = await openDialog()
    await limitUploads(page, 540)
    await files.setInputFiles(['one.pdf', 'two.pdf', 'three.pdf'].map(pdf))
    await button(page, 'Upload 3 papers').click()
    await dialog.getByText(/^The server has received many files/).waitFor()
    await dialog.getByLabel('Uploaded').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByText('1 uploaded, 2 not sent').waitFor()
    expect(await dialog.getByText(/^The server has received many files/).count()).toBe(0)
  })
})

describe('the end of an upload of several files', () => {
  it('An upload ends with one line and one notice with the number of successes, the refused files first', async () => {
    const { page, dialog, files } = await openDialog()
    const many = Array.from({ length: 12 }, (_, n) => pdf(`paper-${n}.pdf`))
    await files.setInputFiles([...many, notPdf('page-1.pdf'), notPdf('page-2.pdf')])
    await button(page, 'Upload 14 papers').click()
    await dialog.getByText('12 uploaded, 2 refused').waitFor()
    const rows = dialog.getByRole('listitem')
    expect((await rows.allInnerTexts()).slice(0, 2).map((text) => text.split('\n')[0])).toEqual([
      'page-1.pdf',
      'page-2.pdf',
    ])
    for (const at of [0, 1]) expect(await isInSight(rows.nth(at))).toBe(true)
    const notice = notices(page)
    expect(await notice.getByText('12 uploaded, 2 refused').count()).toBe(1)
    const sentence = 'This file is not a PDF. Only PDF files are accepted.'
    for (const name of ['page-1.pdf', 'page-2.pdf'])
      expect(await notice.innerText()).toContain(`Failed to upload ${name}: ${sentence}`)
    expect(await accessibilityProblems(page)).toEqual([])
    await button(page, 'Done').click()
    await dialog.waitFor({ state: 'detached' })
  })

  it('An upload names every failure in the notice, and a later success does not replace it (MSG-34)', async () => {
    const { page, files } = await openDialog()
    let calls = 0
    await page.route(`**${api.documents()}`, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      const call = ++calls
      if (call <= 2)
        return route.fulfill({ status: 500, json: { error: { code: 'internal', message: `Disk ${call} is full.` } } })
      // The last one arrives after the others are shown.
      await notices(page).getByText('Disk 2 is full.').waitFor()
      if (call === 4) await gate
      return route.fallback()
    })
    let letGo = () => {}
    const gate = new Promise<void>((open) => (letGo = open))
    await files.setInputFiles(['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'].map(pdf))
    await button(page, 'Upload 4 papers').click()
    await page.getByRole('dialog').getByLabel('Uploaded').first().waitFor()
    await notices(page).getByText('Disk 2 is full.').hover()
    const words = await notices(page).innerText()
    for (const part of ['Failed to upload a.pdf: Disk', 'Failed to upload b.pdf: Disk']) expect(words).toContain(part)
    letGo()
    await notices(page).getByText('2 uploaded, 2 failed').waitFor()
  })

  it('An upload has one message for a file that is not a PDF, by its name and by its content', async () => {
    const { page, dialog, files } = await openDialog()
    await files.setInputFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') },
      notPdf('page.pdf'),
      pdf('paper.pdf'),
    ])
    await button(page, 'Upload 2 papers').click()
    await dialog.getByText('1 uploaded, 2 refused').waitFor()
    expect(await dialog.getByText('This file is not a PDF. Only PDF files are accepted.').count()).toBe(2)
  })
})

describe.each([
  { width: 1280, height: 800, dark: false },
  { width: 390, height: 844, dark: true },
])('at $width by $height', (size) => {
  it('A notice with long file names does not cover the buttons of the upload dialog', async () => {
    const { page, dialog, files } = await openDialog(size)
    const long = 'a-very-long-file-name-of-a-paper-about-sleep-'.repeat(4)
    const many = Array.from({ length: 12 }, (_, n) => notPdf(`${long}${n}.pdf`))
    await files.setInputFiles([pdf('paper.pdf'), ...many])
    await button(page, 'Upload 13 papers').click()
    await dialog.getByText('1 uploaded, 12 refused').waitFor()
    const notice = notices(page)
    await notice.getByText('1 uploaded, 12 refused').waitFor()
    const [card, primary] = [await boxOf(notice), await boxOf(button(page, 'Done'))]
    expect(overlap(card, primary)).toBe(false)
    expect(card.y).toBeGreaterThanOrEqual(0)
    expect(card.y + card.height).toBeLessThanOrEqual(size.height)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
    expect(await accessibilityProblems(page)).toEqual([])
    await picture(page, `upload-${size.width}`)
  })
})

type Box = { x: number; y: number; width: number; height: number }
const boxOf = async (place: Locator): Promise<Box> => (await place.boundingBox())!
const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Returns whether a row of a list is completely in the visible part of the list. */
const isInSight = (row: Locator) =>
  row.evaluate((node) => {
    const [own, list] = [node.getBoundingClientRect(), node.parentElement!.getBoundingClientRect()]
    return own.top >= list.top - 1 && own.bottom <= list.bottom + 1
  })

/** Stores a screenshot in the folder of the environment variable SCREENSHOTS, if it is set. */
async function picture(page: Page, name: string) {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}
