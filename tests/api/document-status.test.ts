import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { DocumentDetail, DocumentRow } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { join } from '#tests/helpers/asking.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { type ScholarServer, startScholarServer } from '#tests/helpers/scholar-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let provider: OpenAiServer
let scholar: ScholarServer
let server: TestServer
let ada: Client
let project: string
beforeAll(async () => {
  provider = await startOpenAiServer()
  scholar = await startScholarServer()
  server = await startServer({
    env: { ...scholar.env, CONTACT_EMAIL: 'ops@example.org', AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' },
  })
  ada = await signUp(server.url)
  project = await newProject('Naps')
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
  await scholar?.stop()
})
afterEach(() => provider.reset())

const newProject = async (name: string, process_automatically = false) =>
  (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name, process_automatically } })).data.id
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const analyze = async (id: string, client = ada) =>
  (await client.json<{ data: Job }>(api.documentAnalyze(id), { body: { again: true } })).data.id

/** Adds a paper without a PDF. */
async function addPaper(title: string, project_id = project): Promise<string> {
  const body = { project_id, title, abstract: 'Naps helped older adults. We asked 212 nurses about it.' }
  return (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data.document.id
}

it('A paper without a PDF that was analyzed is completed again after work that ends without a result', async () => {
  const id = await addPaper('Naps and recall')
  expect(await ada.job(await analyze(id))).toMatchObject({ status: 'completed', error: null })
  provider.always('chat', { kind: 'hang' })
  const statuses: Record<string, string> = {}
  const note = async (what: string) => (statuses[what] = (await read(id)).status)

  const cancelled = await analyze(id)
  await note('a second analysis')
  const other = await newProject('Copies')
  await ada.json(api.documentsCopy(), { body: { document_ids: [id], project_id: other } })
  const copies = await ada.json<{ data: DocumentRow[] }>(api.documents({ project_id: other }))
  statuses['a copy'] = copies.data[0]!.status
  await ada.json(api.jobCancel(cancelled), { method: 'POST' })
  await note('a cancellation')

  await analyze(id)
  await ada.json(api.document(id), { method: 'DELETE' })
  await ada.json(api.documentRestore(id), { method: 'POST', body: {} })
  await note('a restoration')

  const editor = await join(server, project, 'editor')
  await analyze(id, editor)
  await editor.json(api.account(), { method: 'DELETE', body: { password: editor.password } })
  await note('the deletion of an account')

  await ada.json(api.document(id), { method: 'PATCH', body: { doi_link: '10.5555/closed' } })
  scholar.setCopies('10.5555/closed', [])
  const { data: search } = await ada.json<{ data: Job }>(api.documentFetchFile(id), { method: 'POST' })
  expect(await ada.job(search.id)).toMatchObject({ status: 'completed', result: { attached: false } })
  await note('a search for a PDF')

  expect(statuses).toEqual({
    'a second analysis': 'processing',
    'a copy': 'completed',
    'a cancellation': 'completed',
    'a restoration': 'completed',
    'the deletion of an account': 'completed',
    'a search for a PDF': 'completed',
  })
  expect((await read(id)).status_message).toContain('No open-access PDF was found')
})

it('An analysis whose paper gets a PDF while the model answers reads the text of the PDF', async () => {
  const id = await addPaper('Naps and sleep', await newProject('Automatic', true))
  const reply = Promise.withResolvers<void>()
  provider.next('chat', { kind: 'ok', after: reply.promise })
  const job = await analyze(id)
  await vi.waitFor(() => expect(provider.requests).toHaveLength(1), { timeout: 60_000 })
  const form = new FormData()
  form.append('file', new File([onePagePdf(['Walks helped older adults to fall asleep.'])], 'walks.pdf'))
  expect((await ada.fetch(api.documentFile(id), { method: 'POST', body: form })).status).toBe(200)
  await vi.waitFor(async () => expect((await read(id)).vectorized_at).not.toBeNull(), { timeout: 60_000 })
  reply.resolve()
  expect(await ada.job(job)).toMatchObject({ status: 'completed', error: null })
  const { status, status_message, analyzed_at } = await read(id)
  expect({ status, status_message, analyzed_at }).toEqual({
    status: 'completed',
    status_message: null,
    analyzed_at: expect.any(String) as string,
  })
  expect(JSON.stringify(provider.requests[1]!.body)).toContain('Walks helped older adults')
})

it('A document is completed if its analysis is requested again while the result of the first request is stored', async () => {
  const id = await addPaper('Naps and stress')
  const { promise: reply, resolve: answer } = Promise.withResolvers<void>()
  provider.next('chat', { kind: 'ok', after: reply })
  const first = await analyze(id)
  await vi.waitFor(() => expect(provider.requests).toHaveLength(1), { timeout: 60_000 })
  const client = new pg.Client({ connectionString: server.databaseUrl! })
  await client.connect()
  const isTrue = async (condition: string) =>
    (await client.query<{ is_true: boolean }>(`select exists (${condition}) as is_true`)).rows[0]!.is_true
  try {
    await client.query('begin')
    // The foreign keys of other tables do not wait for this lock.
    await client.query('select from documents where id = $1 for no key update', [id])
    answer()
    const isStoring = 'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))'
    await vi.waitFor(async () => expect(await isTrue(isStoring)).toBe(true), { timeout: 60_000 })
    let isOver = false
    const second = analyze(id).finally(() => (isOver = true))
    const isNext = `select from pg_locks where relation = 'documents'::regclass and locktype = 'tuple' and not granted`
    await vi.waitFor(async () => expect(isOver || (await isTrue(isNext))).toBe(true), { timeout: 60_000 })
    await client.query('commit')
    expect(await second).toBe(first)
  } finally {
    await client.end()
  }
  expect(await ada.job(first)).toMatchObject({ status: 'completed' })
  expect((await read(id)).status).toBe('completed')
})
