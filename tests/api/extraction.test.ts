import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { characterErrorRate } from '#tests/bench/character-errors.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { readTestPapers } from '#tests/helpers/papers.ts'
import { scanPdf } from '#tests/helpers/scan-pdf.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { JOB_CANCELLED, type Job } from '#shared/contract/jobs.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { api } from '#shared/contract/paths.ts'

let server: TestServer
let ada: Client
let project: string

beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Papers' } })).data.id
})
afterAll(() => server.stop())

const fixtures = new URL('../fixtures/', import.meta.url)
/** Lines with enough characters that a page with them does not count as almost empty. */
const LINES = [
  'Forty people walked for an hour.',
  'Their sleep began earlier than before,',
  'and they woke less often in the night.',
]

async function upload(name: string, folder = fixtures): Promise<string> {
  const bytes = new Uint8Array(await readFile(new URL(name, folder)))
  return (await ada.upload(project, new File([bytes], name, { type: 'application/pdf' }))).id
}

const start = async (id: string, body: { method: string; password?: string }) =>
  (await ada.json<{ data: Job }>(api.documentExtract(id), { body })).data

async function extract(name: string, body: { method: string; password?: string }, folder = fixtures) {
  const id = await upload(name, folder)
  const job = await ada.job((await start(id, body)).id)
  return { job, document: await read(id) }
}

const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data

async function refusal(id: string, body: unknown, client = ada) {
  const response = await client.fetch(api.documentExtract(id), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  return { status: response.status, ...error }
}

describe('the text layer', () => {
  it('The text layer is read by a job, which completes the document (EXTR-07, EXTR-12, STATE-16)', async () => {
    const id = await upload('paper.pdf')
    const job = await start(id, { method: 'text' })
    expect(job).toMatchObject({ kind: 'extract', document_id: id })
    expect(await ada.job(job.id)).toMatchObject({ status: 'completed', progress: 100, result: { pages: 4 } })
    const document = await read(id)
    expect(document).toMatchObject({
      status: 'completed',
      page_count: 4,
      extraction_method: 'text',
      text_warning: null,
    })
    const truth = await readFile(new URL('../fixtures/paper.txt', import.meta.url), 'utf8')
    expect(characterErrorRate(truth, document.extracted_text!)).toBe(0)
    expect(splitPages(document.extracted_text!).map(({ page }) => page)).toEqual([1, 2, 3, 4])
  })

  it('A text layer with a garbled font map has a warning', async () => {
    const { document } = await extract('garbled.pdf', { method: 'text' })
    expect(document).toMatchObject({ status: 'completed', text_warning: 'garbled' })
  })

  it.each([
    ['paper-scan.pdf', 'no_text_layer', 'Failed to extract text: the pages of this PDF are images. Use OCR for it.'],
    ['truncated.pdf', 'damaged_file', 'This file is damaged and cannot be read as a PDF.'],
    ['paper-password.pdf', 'password_required', 'This PDF is protected by a password.'],
  ])('A text layer that cannot be read ends in an error with a code and the reason: %s', async (name, code, error) => {
    const { job, document } = await extract(name, { method: 'text' })
    expect(job).toMatchObject({ status: 'failed', error, error_code: code })
    expect(document).toMatchObject({ status: 'error', status_message: error, extracted_text: null })
  })

  it('A text layer with damaged pages is read from the other pages, with a warning', async () => {
    const pdf = new File([onePagePdf(LINES, { damagedPages: 1 })], 'half.pdf', { type: 'application/pdf' })
    const { id } = await ada.upload(project, pdf)
    expect((await ada.job((await start(id, { method: 'text' })).id)).status).toBe('completed')
    const document = await read(id)
    expect(document).toMatchObject({ status: 'completed', text_warning: 'damaged', page_count: 2 })
    expect(splitPages(document.extracted_text!).map(({ text }) => text.includes('walked for an hour'))).toEqual([
      true,
      false,
    ])
  })

  it('A hostile file ends with an error, and the server continues to answer', async () => {
    const id = await upload('hostile.pdf')
    const job = await start(id, { method: 'text' })
    let answers = 0
    const ended = ada.job(job.id)
    let running = true
    void ended.finally(() => (running = false))
    while (running) {
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
      answers++
      await new Promise((resume) => setTimeout(resume, 100))
    }
    expect(answers).toBeGreaterThan(2)
    expect((await ended).error).toMatch(/^Reading this PDF takes too (much memory|long); it was stopped\.$/)
    expect((await extract('paper.pdf', { method: 'text' })).job.status).toBe('completed')
  })
})

describe('a password', () => {
  it('A password opens a protected PDF and is not stored', async () => {
    const { job, document } = await extract('paper-password.pdf', { method: 'text', password: 'open sesame' })
    expect(job.status).toBe('completed')
    expect(document.extracted_text).toContain('twelve-week programme of evening group walking')
    expect(server.output()).not.toContain('open sesame')
    for (const file of await readdir(server.dataDir, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      const bytes = await readFile(join(file.parentPath, file.name))
      expect(bytes.includes('open sesame'), file.name).toBe(false)
    }
  })

  it('A wrong password, or a missing one for OCR, is refused at once and changes nothing', async () => {
    const id = await upload('paper-password.pdf')
    expect(await refusal(id, { method: 'text', password: 'shut' })).toMatchObject({
      status: 422,
      code: 'password_wrong',
      message: 'The password is not right.',
    })
    expect(await refusal(id, { method: 'ocr' })).toMatchObject({ status: 422, code: 'password_required' })
    expect(await read(id)).toMatchObject({ status: 'pending' })
  })
})

describe('OCR', () => {
  it('OCR reads a scan page by page (EXTR-05)', async () => {
    const { id } = await ada.upload(project, new File([scanPdf([1, 4])], 'scan.pdf', { type: 'application/pdf' }))
    const job = await ada.job((await start(id, { method: 'ocr' })).id)
    const document = await read(id)
    expect(job).toMatchObject({ kind: 'ocr', status: 'completed', result: { pages: 2 } })
    expect(document).toMatchObject({ status: 'completed', extraction_method: 'ocr', page_count: 2 })
    const { document: printed } = await extract('paper.pdf', { method: 'text' })
    const first = (text: string | null) => splitPages(text!)[0]!.text
    expect(characterErrorRate(first(printed.extracted_text), first(document.extracted_text))).toBeLessThan(0.1)
  })

  it('OCR warns when it finds hardly any text, and the document is completed', async () => {
    const pdf = new File([onePagePdf(['Nap'])], 'nap.pdf', { type: 'application/pdf' })
    const { id } = await ada.upload(project, pdf)
    expect((await ada.job((await start(id, { method: 'ocr' })).id)).status).toBe('completed')
    expect(await read(id)).toMatchObject({ status: 'completed', text_warning: 'sparse' })
    const full = new File([onePagePdf(LINES)], 'full.pdf', { type: 'application/pdf' })
    const { id: other } = await ada.upload(project, full)
    expect((await ada.job((await start(other, { method: 'ocr' })).id)).status).toBe('completed')
    expect(await read(other)).toMatchObject({ status: 'completed', text_warning: null })
  })

  it('OCR that finds less text than the document has does not replace the text, and offers the new text until the user chooses', async () => {
    const hiddenLines = ['Readers do not see the words', 'of this text layer on the page,', 'but they are in the file.']
    const { id } = await ada.upload(
      project,
      new File([onePagePdf(LINES, { hiddenLines })], 'hidden.pdf', { type: 'application/pdf' }),
    )
    const run = async (body: { method: string; replace?: boolean }) => ada.job((await start(id, body)).id)
    const choose = async (use: string) =>
      (await ada.json<{ data: DocumentDetail }>(api.documentTextChoice(id), { body: { use } })).data
    await run({ method: 'text' })
    const { extracted_text } = await read(id)
    expect(extracted_text).toContain('Readers do not see')

    expect(await run({ method: 'ocr' })).toMatchObject({ status: 'completed', result: { is_offered: true } })
    const asked = await read(id)
    expect(asked).toMatchObject({ status: 'completed', extraction_method: 'text', extracted_text })
    expect(asked.text_offer!.letters).toBeLessThan(asked.text_offer!.current_letters)
    expect(asked.text_offer!.beginning).toContain('Forty people walked')
    expect(await choose('current')).toMatchObject({ extraction_method: 'text', extracted_text, text_offer: null })
    await expect(choose('offered')).rejects.toThrow('404')

    const bulk = { document_ids: [id], steps: ['extract'], method: 'ocr', force: true }
    const { data: queued } = await ada.json<{ data: Job }>(api.documentsProcess(), { body: bulk })
    expect((await ada.job(queued.id)).result).toMatchObject({ warned: [{ document_id: id, warning: 'offer' }] })
    const chosen = await choose('offered')
    expect(chosen).toMatchObject({ extraction_method: 'ocr', ocr_pages: [1], text_offer: null })
    expect(chosen.extracted_text).not.toContain('Readers')

    await run({ method: 'text' })
    await run({ method: 'ocr', replace: true })
    expect(await read(id)).toMatchObject({ extraction_method: 'ocr', text_offer: null })
  })

  it('OCR can be cancelled, and leaves the document unchanged', async () => {
    const id = await upload('paper-scan.pdf')
    const { id: jobId } = await start(id, { method: 'ocr' })
    const now = async () => (await ada.json<{ data: Job }>(api.job(jobId))).data
    await expect.poll(async () => (await now()).status, { timeout: 60_000, interval: 50 }).toBe('running')
    await ada.json(api.jobCancel(jobId), { method: 'POST' })
    expect(await ada.job(jobId)).toMatchObject({ status: 'failed', error: JOB_CANCELLED })
    expect(await read(id)).toMatchObject({ status: 'pending', extracted_text: null })
  })
})

describe('a file that cannot be read', () => {
  const damaged = 'This file is damaged and cannot be read as a PDF.'
  const pictures = 'Failed to extract text: the pages of this PDF are images. Use OCR for it.'

  it('A damaged file has the status error and the same reason by text layer and by OCR', async () => {
    const { document } = await extract('truncated.pdf', { method: 'text' })
    expect(document).toMatchObject({ status: 'error', status_message: damaged })
    const id = await upload('truncated.pdf')
    expect(await refusal(id, { method: 'ocr' })).toMatchObject({ status: 422, message: damaged })
    expect(await read(id)).toMatchObject({ status: 'error', status_message: damaged })
  })

  it('A scan has the status error and the same reason when a browser has read its text layer', async () => {
    const id = await upload('paper-scan.pdf')
    const sent = await ada.fetch(api.documentText(id), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ extracted_text: '[Page 1]\n\n[Page 2]\n' }),
    })
    expect([sent.status, await sent.json()]).toMatchObject([
      422,
      { error: { code: 'no_text_layer', message: pictures } },
    ])
    expect(await read(id)).toMatchObject({ status: 'error', status_message: pictures, text_warning: 'scan' })
  })
})

describe('the request', () => {
  it('An extraction is refused for a document of another user, without a session, and for an unknown method', async () => {
    const id = await upload('paper.pdf')
    const bob = await signUp(server.url)
    expect(await refusal(id, { method: 'text' }, bob)).toMatchObject({ status: 404, message: 'Document not found' })
    const anonymous = { ...ada, fetch: (path: string, init?: RequestInit) => fetch(server.url + path, init) }
    expect(await refusal(id, { method: 'text' }, anonymous)).toMatchObject({ status: 401, code: 'no_session' })
    expect(await refusal(id, { method: 'guess' })).toMatchObject({ status: 422 })
  })

  it('An extraction can be repeated later, with the same text', async () => {
    const { document } = await extract('paper.pdf', { method: 'text' })
    const again = await ada.job((await start(document.id, { method: 'text' })).id)
    expect(again.status).toBe('completed')
    expect((await read(document.id)).extracted_text).toBe(document.extracted_text)
  })
})

const PAGES: Record<string, number> = {
  'beetle-song': 2,
  'fever-markers': 2,
  'night-shift-survey': 3,
  'outbreak-course': 2,
  stadtbaeume: 1,
  'trace-links': 2,
}

describe('papers of several layouts', () => {
  const papers = readTestPapers()
  it.each([
    ...papers,
    // Encrypted; opens without a password although its owner forbids extraction.
    { ...papers.find(({ name }) => name === 'outbreak-course')!, name: 'outbreak-course-restricted' },
  ])('The text of $name has all pages, and a sentence of several lines in one piece', async ({ name, sentence }) => {
    const { document } = await extract(`${name}.pdf`, { method: 'text' }, new URL('papers/', fixtures))
    const pages = PAGES[name.replace('-restricted', '')]
    expect(document).toMatchObject({ status: 'completed', page_count: pages, text_warning: null })
    expect(document.extracted_text).toContain(sentence)
  })
})
