import { PDFDocument } from 'pdf-lib'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let provider: OpenAiServer
let server: TestServer
let ada: Client
let project: string
beforeAll(async () => {
  provider = await startOpenAiServer()
  server = await startServer({ env: { AI_BASE_URL: provider.url, AI_VISION_MODEL: 'test-vision' } })
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Scans' } })).data.id
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
})
afterEach(() => provider.reset())

/** Uploads a PDF with empty pages, which the simulated model reads as the texts that a test sets. */
async function upload(pages: number): Promise<string> {
  const pdf = await PDFDocument.create()
  for (let page = 0; page < pages; page++) pdf.addPage([72, 72])
  const file = new File([new Uint8Array(await pdf.save())], 'scan.pdf', { type: 'application/pdf' })
  return (await ada.upload(project, file)).id
}

const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const start = async (id: string) =>
  (await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'ocr' } })).data.id
const reports = async (job: string, text: string) => {
  const now = async () => (await ada.json<{ data: Job }>(api.job(job))).data.progress_text
  await expect.poll(now, { timeout: 60_000 }).toBe(text)
}

it('A page that a vision model has read is not read again after a cancellation or a restart of the server', async () => {
  const id = await upload(3)
  provider.next('chat', { kind: 'ok', content: 'Naps helped.' }, { kind: 'hang' }, { kind: 'hang' })
  const cancelled = await start(id)
  await reports(cancelled, 'Reading page 1 of 3 by OCR')
  await ada.json(api.jobCancel(cancelled), { method: 'POST' })
  provider.reset()

  provider.next('chat', { kind: 'ok', content: 'Walks helped.' }, { kind: 'hang' })
  const interrupted = await start(id)
  await reports(interrupted, 'Reading page 2 of 3 by OCR')
  // The page is reported before its request arrives.
  await expect.poll(() => provider.requests).toHaveLength(2)
  provider.reset()

  provider.next('chat', { kind: 'ok', content: 'Tea helped.' })
  await server.restart()
  expect(await ada.job(interrupted)).toMatchObject({ status: 'completed', result: { pages: 3 } })
  expect(provider.requests).toHaveLength(1)
  const { extracted_text, ocr_pages } = await read(id)
  expect(ocr_pages).toEqual([1, 2, 3])
  for (const sentence of ['Naps helped.', 'Walks helped.', 'Tea helped.']) expect(extracted_text).toContain(sentence)
})

it('A page that a vision model does not finish, or that a filter stops, leaves the other pages their texts', async () => {
  const id = await upload(6)
  provider.next(
    'chat',
    { kind: 'ok', content: 'Naps helped.' },
    { kind: 'ok', content: 'Walks', finish: 'length' },
    { kind: 'ok', content: 'Tea', finish: 'content_filter' },
    { kind: 'status', status: 400, code: 'content_filter' },
    { kind: 'ok', content: 'Walks helped.' },
    { kind: 'ok', content: 'Tea helped.' },
  )
  expect(await ada.job(await start(id))).toMatchObject({ status: 'completed', error: null })
  expect(provider.requests).toHaveLength(6)
  const document = await read(id)
  expect(document).toMatchObject({ status: 'completed', text_warning: 'damaged' })
  expect(document.ocr_pages).toHaveLength(3)
  for (const sentence of ['Naps helped.', 'Walks helped.', 'Tea helped.'])
    expect(document.extracted_text).toContain(sentence)
})

it('A failure that concerns all pages ends the OCR by a vision model at once', async () => {
  const id = await upload(6)
  provider.always('chat', { kind: 'status', status: 401 })
  expect(await ada.job(await start(id))).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('AI_API_KEY'),
  })
  expect(provider.requests.length).toBeLessThanOrEqual(2)
  expect(await read(id)).toMatchObject({ status: 'error', extracted_text: null })
})
