import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inDatabase } from '#tests/helpers/database.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { NO_PDF, NOTHING_TO_READ, NOTHING_TO_READ_IN_ANY } from '#shared/contract/processing.ts'

let provider: OpenAiServer
let server: TestServer
let ada: Client
beforeAll(async () => {
  provider = await startOpenAiServer()
  server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
  ada = await signUp(server.url)
})
afterAll(async () => {
  await server.stop()
  await provider.stop()
})

const fixture = async (name: string, as = name) => {
  const bytes = new Uint8Array(await readFile(new URL(`../fixtures/${name}`, import.meta.url)))
  return new File([bytes], as, { type: 'application/pdf' })
}
const newProject = async (name: string) =>
  (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const start = async (body: object) => (await ada.json<{ data: Job }>(api.documentsProcess(), { body })).data
const job = async (id: string) => (await ada.json<{ data: Job }>(api.job(id))).data
const kindsOf = async (id: string) =>
  (await ada.json<{ data: Job[] }>(api.jobs({ document_id: id }))).data.map(({ kind }) => kind).toSorted()

describe('selected rows extracted, analyzed, vectorized, or all three, in bulk (DOCS-32, EXTR-07)', () => {
  it('A bulk run is one job, continues after a failed document, and skips finished documents unless it is forced', async () => {
    const project = await newProject('Bulk')
    const paper = await ada.upload(project, await fixture('paper.pdf'))
    const scan = await ada.upload(project, await fixture('paper-scan.pdf'))
    const ids = [scan.id, paper.id]
    const all = { document_ids: ids, steps: ['vectorize', 'extract', 'analyze'] }

    const started = await start(all)
    expect(started).toMatchObject({ kind: 'process', document_id: null, project_id: project })
    const ended = await ada.job(started.id)
    const refused = {
      document_id: scan.id,
      title: 'paper-scan.pdf',
      step: 'extract',
      error: 'Failed to extract text: the pages of this PDF are images. Use OCR for it.',
    }
    expect([ended.status, ended.result]).toEqual([
      'completed',
      { total: 2, done: 1, unchanged: 0, warned: [], failed: [refused] },
    ])
    const done = await read(paper.id)
    expect(done).toMatchObject({ status: 'completed', analysis_model: 'test-chat' })
    expect(done.vectorized_at).not.toBeNull()
    expect((await read(scan.id)).status).toBe('error')

    const again = await ada.job((await start({ ...all, document_ids: [paper.id] })).id)
    expect(again.result).toEqual({ total: 1, done: 0, unchanged: 1, warned: [], failed: [] })
    expect(await kindsOf(paper.id)).toEqual(['analyze', 'extract', 'vectorize'])
    const forced = await ada.job((await start({ document_ids: [paper.id], steps: ['vectorize'], force: true })).id)
    expect(forced.result).toEqual({ total: 1, done: 1, unchanged: 0, warned: [], failed: [] })
    expect(await kindsOf(paper.id)).toEqual(['analyze', 'extract', 'vectorize', 'vectorize'])
    // The list has all runs of a project, from every page.
    const listed = await ada.json<{ data: Job[] }>(api.jobs({ project_id: project, kind: 'process' }))
    expect(listed.data.map(({ id }) => id)).toEqual([forced.id, again.id, started.id])
  })

  it.runIf(IS_LONG_RUN)(
    'A bulk run continues after a kill -9, and a cancelled run stops the remaining documents and keeps the finished ones',
    async () => {
      const project = await newProject('Killed')
      const ids: string[] = []
      for (const name of ['1.pdf', '2.pdf', '3.pdf'])
        ids.push((await ada.upload(project, await fixture('paper.pdf', name))).id)
      await ada.job((await start({ document_ids: ids, steps: ['extract'] })).id)

      const asked = provider.requests.length
      provider.next('chat', { kind: 'hang' })
      const run = await start({ document_ids: ids, steps: ['analyze'] })
      await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBeGreaterThan(asked)
      await server.kill('SIGKILL')
      await server.restart()
      const ended = await ada.job(run.id)
      expect([ended.error, ended.result]).toEqual([null, { total: 3, done: 3, unchanged: 0, warned: [], failed: [] }])
      // Each document was analyzed by one job, and none was repeated.
      for (const id of ids) expect(await kindsOf(id)).toEqual(['analyze', 'extract'])

      // A new text has no stored analysis.
      await inDatabase(
        server,
        `update documents set extracted_text = extracted_text || ' New.' where project_id = $1`,
        [project],
      )
      provider.next('chat', { kind: 'hang' }, { kind: 'hang' })
      const before = provider.requests.length
      const second = await start({ document_ids: ids, steps: ['analyze'], force: true })
      await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBe(before + 2)
      await expect.poll(async () => (await job(second.id)).progress_text).toMatch(/^0 of 3 done\. Analyzing “/)
      const cancelled = await ada.json<{ data: Job }>(api.jobCancel(second.id), { body: {} })
      expect(cancelled.data).toMatchObject({ status: 'failed', error: 'Cancelled', result: { total: 3, done: 0 } })
      const active = await ada.json<{ data: Job[] }>(api.jobs({ project_id: project, active: 'true' }))
      expect(active.data).toEqual([])
      for (const id of ids) expect((await read(id)).status).toBe('completed')
      expect(await kindsOf(ids[2]!)).toEqual(['analyze', 'extract'])
    },
    240_000,
  )

  it('A bulk run that extracts a new text repeats the analysis of the former text, and then has nothing to do', async () => {
    const project = await newProject('Garbled')
    const pdf = onePagePdf(Array.from({ length: 12 }, () => 'Short naps improved recall in nurses.'))
    const { id } = await ada.upload(project, new File([pdf], 'naps.pdf', { type: 'application/pdf' }))
    const garbled = { extracted_text: '[Page 1]\nSh0rt n4ps 1mpr0ved reca11 1n nurse5.', method: 'text' }
    await ada.json(api.documentText(id), { method: 'PUT', body: garbled })
    await inDatabase(server, `update documents set text_warning = 'garbled' where id = $1`, [id])
    await ada.job((await start({ document_ids: [id], steps: ['analyze'] })).id)
    const all = { document_ids: [id], steps: ['extract', 'analyze', 'vectorize'], method: 'auto' }
    // If the repeated analysis fails, the next run does not count the analysis of the former text.
    provider.always('chat', { kind: 'status', status: 400, message: 'Overloaded' })
    expect((await ada.job((await start(all)).id)).result).toMatchObject({ failed: [{ step: 'analyze' }] })
    provider.reset()
    expect((await ada.job((await start(all)).id)).result).toMatchObject({ done: 1, failed: [] })
    expect(await kindsOf(id)).toEqual(['analyze', 'analyze', 'analyze', 'extract', 'vectorize'])
    const { extracted_text, analyzed_at } = await read(id)
    expect(extracted_text).toContain('Short naps improved')
    expect(JSON.stringify(provider.requests.at(-1))).toContain('Short naps improved')
    expect((await ada.job((await start(all)).id)).result).toMatchObject({ done: 0, unchanged: 1 })
    expect((await read(id)).analyzed_at).toBe(analyzed_at)
  })

  it('A bulk run refuses documents of other users, and a request without a document or a step', async () => {
    const bob = await signUp(server.url)
    const project = await newProject('Mine')
    const { id } = await ada.upload(project, await fixture('paper.pdf'))
    const post = (body: object) =>
      bob.fetch(api.documentsProcess(), {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
    const foreign = await post({ document_ids: [id], steps: ['extract'] })
    expect([foreign.status, await foreign.json()]).toEqual([
      404,
      { error: expect.objectContaining({ message: 'No valid documents to process' }) },
    ])
    for (const wrong of [
      { document_ids: [], steps: ['extract'] },
      { document_ids: [id], steps: [] },
      { document_ids: [id], steps: ['translate'] },
    ])
      expect((await post(wrong)).status).toBe(422)
    expect((await read(id)).status).toBe('pending')
  })

  it('A paper with neither a PDF nor an abstract is refused before a job starts, and fails alone in a bulk run', async () => {
    const project = await newProject('Titles')
    const add = async (title: string, abstract?: string) =>
      (await ada.json<{ data: AddedPaper }>(api.papers(), { body: { project_id: project, title, abstract } })).data
        .document.id
    const [empty, other, full] = [await add('Naps'), await add('Walks'), await add('Sleep', 'Sleep helps nurses.')]
    const refusal = async (path: string, body: object) => {
      const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      const response = await ada.fetch(path, init)
      const { error } = (await response.json()) as { error?: { message: string } }
      return [response.status, error?.message]
    }
    const steps = ['extract', 'vectorize']
    expect(await refusal(api.documentsProcess(), { document_ids: [empty], steps })).toEqual([422, NOTHING_TO_READ])
    expect(await refusal(api.documentsProcess(), { document_ids: [empty, other], steps })).toEqual([
      422,
      NOTHING_TO_READ_IN_ANY,
    ])
    expect(await refusal(api.documentExtract(empty), { method: 'text' })).toEqual([422, NOTHING_TO_READ])
    expect(await refusal(api.documentExtract(full), { method: 'text' })).toEqual([422, NO_PDF])
    const run = await ada.job((await start({ document_ids: [empty, full], steps })).id)
    expect(run.result).toMatchObject({
      done: 1,
      failed: [{ document_id: empty, title: 'Naps', step: 'extract', error: NOTHING_TO_READ }],
    })
    expect(await kindsOf(empty)).toEqual([])
    expect((await read(empty)).status).not.toBe('error')
  })
})
