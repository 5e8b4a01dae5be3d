import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Mode, startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { scanPdf } from '#tests/helpers/scan-pdf.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

/** This file tests runs that process several documents and continue after the page is closed. */

let provider: OpenAiServer
let server: TestServer
let browser: Browser
let page: Page
let ada: Client
let ids: string[] = []
beforeEach(async () => {
  provider.reset()
  await page.unrouteAll()
})
beforeAll(async () => {
  provider = await startOpenAiServer()
  server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
  ada = await signUp(server.url)
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
  await provider.stop()
})
// SCREENSHOTS=folder stores a screenshot after each step.
afterEach(async ({ task }) => {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${task.name.replaceAll(/\W+/g, '-')}.png` })
})

/**
 * Opens a new project with a paper and, unless `withScan` is false, a scan. Sets `ids` to their document ids. Returns the id of
 * the project.
 */
async function openProject(name: string, { withScan = true } = {}): Promise<string> {
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })
  const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
  const files = { 'paper.pdf': paper, ...(withScan ? { 'paper-scan.pdf': scanPdf([4]) } : {}) }
  ids = []
  for (const [file, bytes] of Object.entries(files))
    ids.push((await ada.upload(data.id, new File([bytes], file, { type: 'application/pdf' }))).id)
  await page.goto(`/${name}/documents`)
  await page.getByRole('row').filter({ hasText: 'paper.pdf' }).waitFor()
  return data.id
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const chooseAll = () => page.getByRole('checkbox', { name: /all/i }).first().click()
const clean = async () => expect(await accessibilityProblems(page)).toEqual([])

it('A bulk run takes selected rows through all three steps, and continues while no page is open (DOCS-32)', async () => {
  await openProject('Naps')
  await chooseAll()
  await button('All three').click()
  const dialog = page.getByRole('dialog', { name: 'Extract, analyze and vectorize' })
  await dialog.getByText('2 documents. The run continues when you close this page.').waitFor()
  // The default prompt is selected.
  expect(await dialog.getByRole('radio', { name: /^Structured evidence summary/ }).isChecked()).toBe(true)
  expect(await dialog.getByRole('button', { name: 'Start' }).isEnabled()).toBe(true)
  await clean()
  expect(await dialog.getByRole('radio', { name: /^Automatic/ }).isChecked()).toBe(true)
  await dialog.getByRole('radio', { name: /^Text layer/ }).click()
  await dialog.getByRole('radio').nth(3).click()
  // Also each retry: the server repeats a call after a minute without an answer.
  provider.always('chat', { kind: 'hang' })
  await dialog.getByRole('button', { name: 'Start' }).click()
  const progress = page.getByRole('region', { name: 'Progress' })
  await progress.getByText('1 of 2 done. Analyzing “paper.pdf”').waitFor()
  await clean()
  // The page can be left without a confirmation, and the next page shows the same run.
  await page.goto('about:blank')
  await page.goto('/Naps/documents')
  await progress.getByText('1 of 2 done. Analyzing “paper.pdf”').waitFor()
})

it('A cancelled bulk run stops the remaining documents, keeps the finished ones, and lists failures with a link', async () => {
  await openProject('Cancelled')
  provider.next('chat', { kind: 'hang' })
  await ada.json(api.documentsProcess(), { body: { document_ids: ids.toReversed(), steps: ['extract', 'analyze'] } })
  const progress = page.getByRole('region', { name: 'Progress' })
  await progress.getByText('1 of 2 done. Analyzing “paper.pdf”').waitFor()
  await progress.getByRole('button', { name: 'Cancel' }).click()
  const end = page.getByRole('region', { name: 'Result of the processing' })
  await end.getByText('Cancelled. 0 of 2 documents processed. 1 failed.').waitFor()
  await end.getByText('Failed to extract text: the pages of this PDF are images. Use OCR for it.').waitFor()
  await clean()
  await end.getByRole('link', { name: 'paper-scan.pdf' }).click()
  await page.waitForURL(`**/Cancelled/document/${ids[1]}`)
})

it('A bulk run over several projects has its progress, Cancel and the list of failures in each of them (LIB-05)', async () => {
  await openProject('Left')
  const [paper, scan] = ids
  await openProject('Right')
  provider.next('chat', { kind: 'hang' })
  await ada.json(api.documentsProcess(), {
    body: { document_ids: [scan, paper, ids[0]], steps: ['extract', 'analyze'] },
  })
  const progress = page.getByRole('region', { name: 'Progress' })
  const end = page.getByRole('region', { name: 'Result of the processing' })
  await progress.getByText(/^[12] of 3 done\. /).waitFor()
  await page.goto('/Left/documents')
  await progress.getByRole('button', { name: 'Cancel' }).click()
  await end.getByText('Failed to extract text: the pages of this PDF are images. Use OCR for it.').waitFor()
  await page.goto('/Right/documents')
  await end.getByText('paper-scan.pdf').waitFor()
  expect(await end.getByRole('link').count()).toBe(0)
  await end.getByRole('button', { name: 'Dismiss' }).click()
  await end.waitFor({ state: 'detached' })
})

it('Five later bulk runs of another member do not hide the result of the own run', async () => {
  const project = await openProject('Busy', { withScan: false })
  const run = async (client: Client) => {
    const body = { document_ids: ids, steps: ['extract'] }
    const { data } = await client.json<{ data: { id: string } }>(api.documentsProcess(), { body })
    await client.job(data.id)
  }
  await run(ada)
  const ben = await signUp(server.url)
  await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
    project,
    ben.userId,
  ])
  for (let n = 0; n < 5; n++) await run(ben)
  await page.reload()
  const end = page.getByRole('region', { name: 'Result of the processing' })
  expect(await end.innerText()).toContain('1 of 1 document processed.')
})

it('A page shows the result of a run that started and ended before its event stream opened', async () => {
  let open = () => {}
  const opening = new Promise<void>((resolve) => (open = resolve))
  await page.route(`**${api.events()}*`, async (route) => {
    await opening
    await route.continue()
  })
  await openProject('Early')
  const { data } = await ada.json<{ data: { id: string } }>(api.documentsProcess(), {
    body: { document_ids: ids, steps: ['extract'] },
  })
  expect((await ada.job(data.id)).status).toBe('completed')
  open()
  const end = page.getByRole('region', { name: 'Result of the processing' })
  await end.getByText('1 of 2 documents processed. 1 failed.').waitFor()
})

it('A bulk run skips finished documents unless it is forced, and a dismissed result does not return', async () => {
  await openProject('Repeated')
  const { data } = await ada.json<{ data: { id: string } }>(api.documentExtract(ids[0]!), { body: { method: 'text' } })
  await ada.job(data.id)
  await page.reload()
  await chooseAll()
  await button('Extract Text').click()
  const dialog = page.getByRole('dialog', { name: 'Extract Text' })
  await dialog.getByText('1 of 2 has nothing left to do.').waitFor()
  await dialog.getByRole('radio', { name: 'OCR by AI' }).click()
  await clean()
  await dialog.getByRole('button', { name: 'Start' }).click()
  const end = page.getByRole('region', { name: 'Result of the processing' })
  await end.getByText('1 of 2 documents processed. 1 had nothing left to do.').waitFor({ timeout: 60_000 })
  await end.getByRole('button', { name: 'Dismiss' }).click()
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'paper.pdf' }).waitFor()
  expect(await end.count()).toBe(0)
})

it('A dismissed result of a bulk run does not return after the result of another project is dismissed', async () => {
  const end = page.getByRole('region', { name: 'Result of the processing' })
  for (const name of ['First', 'Second']) {
    await openProject(name, { withScan: false })
    const { data } = await ada.json<{ data: { id: string } }>(api.documentsProcess(), {
      body: { document_ids: [ids[0]], steps: ['extract'] },
    })
    await ada.job(data.id)
    await end.getByRole('button', { name: 'Dismiss' }).click()
    await end.waitFor({ state: 'detached' })
  }
  const listed = page.waitForResponse((response) => new URL(response.url()).searchParams.get('kind') === 'process')
  await page.goto('/First/documents')
  await page.getByRole('row').filter({ hasText: 'paper.pdf' }).waitFor()
  await (await listed).finished()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(await end.count()).toBe(0)
})

it('A failed analysis has the same words in the result of its run, in the upload, in the list and on the page of the paper (MSG-47, MSG-48)', async () => {
  const project = await openProject('Too long', { withScan: false })
  const upload = randomUUID()
  const file = new File([onePagePdf(['A long paper'])], 'long.pdf', { type: 'application/pdf' })
  const { id } = await ada.upload(project, file, { upload_id: upload, process_automatically: 'false' })
  await page.evaluate(([key, value]) => localStorage.setItem(key!, value!), [`lectern.upload.${project}`, upload])
  const failWith = async (mode: Mode) => {
    provider.always('chat', mode)
    const body = { document_ids: [id], steps: ['extract', 'analyze'] }
    await ada.job((await ada.json<{ data: { id: string } }>(api.documentsProcess(), { body })).data.id)
  }
  for (const [mode, words] of [
    [{ kind: 'too-long' }, 'This document is too long to analyze.'],
    [{ kind: 'status', status: 400 }, 'The analysis service is currently unavailable. Please try again later.'],
  ] satisfies [Mode, string][]) {
    await failWith(mode)
    await page.goto('/Too long/documents')
    await page.getByRole('region', { name: 'Result of the processing' }).getByText(words).waitFor()
    await page.getByRole('region', { name: 'Progress of the upload' }).getByText(words).waitFor()
    await page.getByRole('row').filter({ hasText: 'long.pdf' }).getByText(words).waitFor()
    await page.goto(`/Too long/document/${id}`)
    await page.getByText(words).waitFor()
    expect(await page.getByText(/Request too large|non-2xx/).count()).toBe(0)
  }
})

it('A bulk deletion asks before it deletes several documents (DOCS-29, DOCS-30, MSG-40)', async () => {
  await openProject('Emptied')
  await chooseAll()
  await button('Bulk Delete (2)').click()
  await page.getByRole('alertdialog', { name: 'Are you sure you want to delete 2 documents?' }).waitFor()
  await page.getByRole('button', { name: 'Delete 2 documents' }).click()
  await page.getByRole('region', { name: 'Notifications' }).getByText('Selected documents have been deleted').waitFor()
  await page.getByText('No documents found.').waitFor()
  expect((await ada.fetch(api.document(ids[0]!))).status).toBe(404)
})

it('A bulk deletion reports when no valid document was left, which deletion failed, and that a refused one deleted nothing (MSG-35, MSG-36)', async () => {
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Other' } })
  const bytes = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
  const { id } = await ada.upload(data.id, new File([bytes], 'one.pdf', { type: 'application/pdf' }))
  await page.goto('/Other/documents')
  await page.getByRole('row').filter({ hasText: 'one.pdf' }).waitFor()
  await chooseAll()
  // The server fails for this one request.
  await page.route(`**${api.documentsDelete()}`, (route) => route.fulfill({ status: 503, json: {} }))
  await button('Bulk Delete (1)').click()
  await page.getByRole('alertdialog', { name: 'Are you sure you want to delete this document?' }).waitFor()
  await page.getByRole('button', { name: 'Delete 1 document' }).click()
  const notices = page.getByRole('region', { name: 'Notifications' })
  await notices.getByText(/^Failed to delete some documents: “one\.pdf”: /).waitFor()
  await page.unrouteAll()
  await page.route(`**${api.documentsDelete()}`, (route) =>
    route.fulfill({ status: 403, json: { error: { code: 'role', message: 'Your role is too small.' } } }),
  )
  await button('Bulk Delete (1)').click()
  await page.getByRole('button', { name: 'Delete 1 document' }).click()
  await notices
    .getByText('Failed to delete some documents: “one.pdf”. No document was deleted: Your role is too small.')
    .waitFor()
  await page.unrouteAll()
  // The document was deleted in another tab, and this page does not have the event.
  await page.route(`**${api.documentsDelete()}`, (route) =>
    route.fulfill({ status: 404, json: { error: { code: 'not_found', message: 'No valid documents to delete' } } }),
  )
  await button('Bulk Delete (1)').click()
  await page.getByRole('button', { name: 'Delete 1 document' }).click()
  await notices.getByText('No valid documents to delete').waitFor()
  expect((await ada.fetch(api.document(id))).status).toBe(200)
  await page.unrouteAll()
})

it('A bulk deletion is one request, shows its progress, does not read the list for each document, and has one Undo', async () => {
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Twenty' } })
  const pdf = onePagePdf(['Twenty'])
  for (let n = 0; n < 20; n++) await ada.upload(data.id, new File([pdf], `paper-${n}.pdf`, { type: 'application/pdf' }))
  await page.goto('/Twenty/documents?limit=50')
  await page.getByRole('row').filter({ hasText: 'paper-19.pdf' }).waitFor()
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/documents')) calls.push(`${request.method()} ${pathname}`)
  })
  const count = (call: string) => calls.filter((one) => one === call).length
  let answer = () => {}
  const waiting = new Promise<void>((resolve) => (answer = resolve))
  await page.route(`**${api.documentsDelete()}`, async (route) => {
    await waiting
    await route.continue()
  })
  await chooseAll()
  await button('Bulk Delete (20)').click()
  await page.getByRole('button', { name: 'Delete 20 documents' }).click()
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByText('Deleting 20 …').waitFor()
  for (const name of ['Extract Text', 'All three', 'Bulk Delete (20)', 'Clear selection'])
    expect([name, await button(name).isDisabled()]).toEqual([name, true])
  await clean()
  answer()
  const notices = page.getByRole('region', { name: 'Notifications' })
  // A notice stays while the pointer is over it.
  await notices.getByText('20 documents deleted').hover()
  await page.getByText('No documents found.').waitFor()
  expect(await bar.count()).toBe(0)
  expect(count('POST /api/documents/delete')).toBe(1)
  expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([])
  // Usually two requests: after the answer and after its events. On a slow machine, separate events cause more.
  expect(count('GET /api/documents')).toBeLessThan(10)
  await page.unrouteAll()
  await notices.getByRole('button', { name: 'Undo' }).click()
  await notices.getByText('20 documents restored').waitFor()
  await page.getByRole('row').filter({ hasText: 'paper-19.pdf' }).waitFor()
  expect(count('POST /api/documents/restore')).toBe(1)
  expect((await ada.json<{ count: number }>(api.documents({ project_id: data.id }))).count).toBe(20)
})
