import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { DocumentDetail, DocumentRow } from '#shared/contract/documents.ts'
import type { JoinResult } from '#shared/contract/duplicates.ts'
import type { AddedPapers } from '#shared/contract/identifiers.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { file, startScholarServer, type ScholarServer } from '#tests/helpers/scholar-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

/**
 * This file tests papers without a PDF that are added to a project and vectorized in a run. The provider delays the vectors, so
 * that a run can be interrupted.
 */

let provider: OpenAiServer
let scholar: ScholarServer
let server: TestServer
let ada: Client
beforeAll(async () => {
  provider = await startOpenAiServer()
  scholar = await startScholarServer()
  const models = { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat', AI_EMBEDDING_MODEL: 'text-embedding-test' }
  server = await startServer({ env: { ...scholar.env, ...models } })
  ada = await signUp(server.url)
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
  await scholar?.stop()
})
afterEach(() => provider.reset())

let names = 0
const newProject = async (process_automatically = true) =>
  (
    await ada.json<{ data: { id: string } }>(api.projects(), {
      body: { name: `New papers ${(names += 1)}`, process_automatically },
    })
  ).data.id

interface Sample {
  title: string
  abstract?: string
  doi?: string
}
const ris = (...papers: Sample[]) =>
  papers
    .map(({ title, abstract, doi }) =>
      [
        'TY  - JOUR',
        `TI  - ${title}`,
        ...(abstract ? [`AB  - ${abstract}`] : []),
        ...(doi ? [`DO  - ${doi}`] : []),
        'ER  - ',
        '',
      ].join('\r\n'),
    )
    .join('\r\n')
const WALKS = {
  title: 'Evening walks and sleep',
  abstract: 'Walking in the evening improved the sleep of older adults.',
}
const NAPS = { title: 'Naps of nurses on night duty', abstract: 'Short naps reduced the errors of nurses at night.' }
const TEA = { title: 'Green tea and the memory of students', abstract: 'Green tea had no effect on recall.' }
const EMPTY = { title: 'A study of which only the title is known' }

const importInto = (project: string, ...papers: Sample[]) =>
  importReferences(ada, project, { 'papers.ris': ris(...papers) })
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const papersOf = async (project_id: string) => {
  const { data } = await ada.json<{ data: DocumentRow[] }>(api.documents({ project_id, limit: 100 }))
  return new Map(data.map((row) => [row.title, row]))
}
const jobsOf = async (project_id: string, kind?: Job['kind']) =>
  (await ada.json<{ data: Job[] }>(api.jobs({ project_id, kind }))).data
const kindsOf = async (id: string) =>
  (await ada.json<{ data: Job[] }>(api.jobs({ document_id: id }))).data.map(({ kind }) => kind).toSorted()
/**
 * Waits for the first job that processes the new papers of a project, and returns it. The server starts it after the papers are
 * stored.
 */
async function runOf(project: string): Promise<Job> {
  await expect.poll(async () => (await jobsOf(project, 'process')).length, { timeout: 60_000 }).toBe(1)
  return (await jobsOf(project, 'process'))[0]!
}
const vectorized = async (id: string) => {
  await expect.poll(async () => (await read(id)).vectorized_at, { timeout: 60_000 }).not.toBeNull()
}
/** Delays all responses with vectors until the returned function is called. */
function delayVectors(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  provider.always('embeddings', { kind: 'ok', after: promise })
  return resolve
}
const embeddingRequested = async () => {
  const isRequested = () => provider.requests.some(({ path }) => path === '/v1/embeddings')
  await expect.poll(isRequested, { timeout: 60_000 }).toBe(true)
}

it('An import vectorizes its papers with an abstract in one run if the project processes new documents automatically (PROJ-26, EXTR-10)', async () => {
  const project = await newProject()
  await importInto(project, WALKS, EMPTY, NAPS)
  const run = await runOf(project)
  expect(run).toMatchObject({ document_id: null, project_id: project, is_own: true })
  const result = { total: 2, done: 2, unchanged: 0, warned: [], failed: [] }
  expect(await ada.job(run.id)).toMatchObject({ status: 'completed', result })
  const papers = await papersOf(project)
  for (const { title } of [WALKS, NAPS]) {
    const { id, vectorized_at, status } = papers.get(title)!
    // The status is that of the text, as after 'Vectorize'.
    expect([vectorized_at, status, await kindsOf(id)]).toEqual([expect.any(String), 'pending', ['vectorize']])
  }
  const empty = papers.get(EMPTY.title)!
  expect([empty.vectorized_at, empty.status, await kindsOf(empty.id)]).toEqual([null, 'pending', []])
})

it('An import vectorizes a single paper without a run, also one that the project had without an abstract, and no paper twice', async () => {
  const project = await newProject()
  await importInto(project, { title: WALKS.title, doi: '10.5555/walks' })
  const walks = { ...WALKS, doi: '10.5555/walks' }
  expect((await importInto(project, walks)).result).toMatchObject({ created: 0, joined: 1 })
  await vectorized((await papersOf(project)).get(WALKS.title)!.id)
  await importInto(project, walks, NAPS)
  await vectorized((await papersOf(project)).get(NAPS.title)!.id)
  const kinds = (await jobsOf(project)).map(({ kind }) => kind).toSorted()
  expect(kinds).toEqual(['import', 'import', 'import', 'vectorize', 'vectorize'])
})

it('An import into a project with automatic processing off starts no run', async () => {
  const [off, on] = [await newProject(false), await newProject()]
  await importInto(off, WALKS, NAPS)
  await ada.json(api.identifiersPapers(), { body: { project_id: off, papers: [paperOf(TEA)] } })
  // The run of the later import has ended. A run of the earlier one would have started before.
  await importInto(on, WALKS, NAPS)
  await ada.job((await runOf(on)).id)
  expect((await jobsOf(off)).map(({ kind }) => kind)).toEqual(['import'])
})

it('A run whose import is undone ends without an error', async () => {
  const project = await newProject()
  const answer = delayVectors()
  const { result } = await importInto(project, WALKS, NAPS, TEA)
  const run = await runOf(project)
  await embeddingRequested()
  await ada.json(api.import((result as { import_ids: string[] }).import_ids[0]!), { method: 'DELETE' })
  answer()
  const ended = await ada.job(run.id)
  expect([ended.status, ended.result]).toEqual([
    'completed',
    { total: 3, done: 0, unchanged: 0, warned: [], failed: [] },
  ])
})

it('A cancelled run ends the job of its paper, and starts no other', async () => {
  const project = await newProject()
  const answer = delayVectors()
  await importInto(project, WALKS, NAPS)
  const run = await runOf(project)
  await embeddingRequested()
  await ada.json(api.jobCancel(run.id), { body: {} })
  expect(await ada.job(run.id)).toMatchObject({ error: 'Cancelled', result: { total: 2, done: 0, failed: [] } })
  await expect.poll(async () => (await jobsOf(project, 'vectorize')).map(({ error }) => error)).toEqual(['Cancelled'])
  answer()
  for (const { vectorized_at } of (await papersOf(project)).values()) expect(vectorized_at).toBeNull()
})

it('A run continues after a restart of the server, and counts each paper once', async () => {
  const project = await newProject()
  const answer = delayVectors()
  await importInto(project, WALKS, NAPS, TEA)
  const run = await runOf(project)
  await embeddingRequested()
  await server.restart()
  answer()
  const result = { total: 3, done: 3, unchanged: 0, warned: [], failed: [] }
  expect(await ada.job(run.id)).toMatchObject({ status: 'completed', result })
})

it('A run ends with the error of the model after three papers, and the other papers stay pending', async () => {
  const project = await newProject()
  // A call with this status is not repeated.
  provider.always('embeddings', { kind: 'status', status: 404 })
  const papers = Array.from({ length: 5 }, (_, n) => ({ ...WALKS, title: `Evening walks of group ${n}` }))
  expect(await importInto(project, ...papers)).toMatchObject({ status: 'completed', result: { created: 5 } })
  const ended = await ada.job((await runOf(project)).id)
  expect(ended).toMatchObject({ status: 'failed', error: expect.stringContaining('404') })
  expect(await jobsOf(project, 'vectorize')).toHaveLength(3)
})

const paperOf = ({ title, abstract }: { title: string; abstract?: string }) => ({
  reference: { type: 'article-journal', title, ...(abstract ? { abstract } : {}) },
})

it('Papers that are added by identifiers are vectorized in one run', async () => {
  const project_id = await newProject()
  const body = { project_id, papers: [WALKS, EMPTY, NAPS].map(paperOf) }
  const { data } = await ada.json<{ data: AddedPapers }>(api.identifiersPapers(), { body })
  expect(data.created).toBe(3)
  expect((await ada.job((await runOf(project_id)).id)).result).toMatchObject({ total: 2, done: 2 })
  // The project has these papers.
  await ada.json(api.identifiersPapers(), { body })
  expect(await jobsOf(project_id, 'process')).toHaveLength(1)
})

const add = async (body: Record<string, unknown>) => (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data

it('An article of a feed is vectorized at once, or when the search for its PDF has ended without one', async () => {
  const project_id = await newProject()
  const { document, job } = await add({ project_id, ...WALKS })
  expect(job).toBeNull()
  await vectorized(document.id)

  scholar.setCopies('10.5555/closed', [])
  const closed = await add({ project_id, ...NAPS, doi: '10.5555/closed' })
  await ada.job(closed.job!.id)
  await vectorized(closed.document.id)
  expect(await kindsOf(closed.document.id)).toEqual(['fetch', 'vectorize'])

  const pdf_url = scholar.set('/files/page.pdf', file('<html>No paper</html>', 'text/html'))
  const failed = await add({ project_id, ...TEA, pdf_url })
  expect(await ada.job(failed.job!.id)).toMatchObject({ status: 'failed' })
  await vectorized(failed.document.id)
  expect(await jobsOf(project_id, 'process')).toEqual([])
})

it('A text that arrives while the abstract is embedded gets the vectors', async () => {
  const project_id = await newProject()
  const answer = delayVectors()
  const { document } = await add({ project_id, ...WALKS })
  await embeddingRequested()
  const form = new FormData()
  const bytes = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
  form.append('file', new File([bytes], 'paper.pdf', { type: 'application/pdf' }))
  expect((await ada.fetch(api.documentFile(document.id), { method: 'POST', body: form })).status).toBe(200)
  const extracted = async () => (await read(document.id)).extracted_text
  await expect.poll(extracted, { timeout: 60_000 }).not.toBeNull()
  await expect.poll(() => kindsOf(document.id), { timeout: 60_000 }).toContain('analyze')
  answer()
  await vectorized(document.id)
  expect(await kindsOf(document.id)).toEqual(['analyze', 'extract', 'vectorize'])
})

it('A job starts again when the text changes each time that it is vectorized', async () => {
  const project = await newProject(false)
  const pdf = new File([onePagePdf(['Naps'])], 'naps.pdf', { type: 'application/pdf' })
  const { id } = await ada.upload(project, pdf)
  const store = (words: string) =>
    ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `[Page 1]\n${words}`, method: 'text' } })
  await store('Short naps reduced the errors of nurses.')
  let answer = delayVectors()
  const { data: job } = await ada.json<{ data: Job }>(api.documentVectorize(id), { body: {} })
  for (let time = 1; time <= 2; time++) {
    await embeddingRequested()
    await store(`Short naps reduced the errors of ${time} doctors.`)
    const former = answer
    provider.requests.length = 0
    answer = delayVectors()
    former()
  }
  await embeddingRequested()
  answer()
  expect(await ada.job(job.id)).toMatchObject({ status: 'completed', error: null })
  expect(embedded()).toContain('2 doctors')
  expect((await read(id)).vectorized_at).not.toBeNull()
})

const edit = (id: string, patch: Record<string, unknown>) =>
  ada.json(api.document(id), { method: 'PATCH', body: patch })
/** Returns the bodies of all requests for embeddings, joined by line breaks. */
const embedded = () =>
  provider.requests.flatMap(({ path, body }) => (path === '/v1/embeddings' ? JSON.stringify(body) : [])).join('\n')
const added = async (project_id: string, sample: Sample) => {
  const { document } = await add({ project_id, ...sample })
  await vectorized(document.id)
  return document.id
}

it('A burst of edits of a title and an abstract gets one job, also an edit while the abstract is embedded', async () => {
  const project_id = await newProject()
  const id = await added(project_id, WALKS)
  const answer = delayVectors()
  provider.requests.length = 0
  await edit(id, { abstract: 'Walking in the evening delayed the sleep of adults.' })
  await edit(id, { title: 'Evening walks and insomnia' })
  expect((await read(id)).vectorized_at).toBeNull()
  await embeddingRequested()
  await edit(id, { abstract: 'Swimming in the evening delayed the sleep of adults.' })
  answer()
  await vectorized(id)
  expect(embedded()).toContain('Evening walks and insomnia')
  expect(embedded()).toContain('Swimming in the evening')
  expect(await kindsOf(id)).toEqual(['vectorize', 'vectorize'])
  // Other fields change no vectors.
  await edit(id, { keywords: ['sleep'] })
  expect((await read(id)).vectorized_at).not.toBeNull()
  expect(await kindsOf(id)).toEqual(['vectorize', 'vectorize'])
})

it('Vectorize after an edit starts the waiting job at once', async () => {
  const project_id = await newProject()
  const id = await added(project_id, NAPS)
  await edit(id, { abstract: 'Short naps reduced the errors of doctors at night.' })
  const [waiting] = await jobsOf(project_id)
  const { data: job } = await ada.json<{ data: Job }>(api.documentVectorize(id), { body: {} })
  expect(job.id).toBe(waiting!.id)
  expect(await ada.job(job.id)).toMatchObject({ status: 'completed' })
  expect((await read(id)).vectorized_at).not.toBeNull()
})

it('The job after an edit can be cancelled before it starts', async () => {
  const project_id = await newProject()
  const id = await added(project_id, NAPS)
  await edit(id, { abstract: 'Long naps reduced the errors of nurses at night.' })
  const [job] = await jobsOf(project_id)
  await ada.json(api.jobCancel(job!.id), { body: {} })
  expect(await ada.job(job!.id)).toMatchObject({ kind: 'vectorize', status: 'failed', error: 'Cancelled' })
  expect((await read(id)).vectorized_at).toBeNull()
})

it('An edit starts no job in a project with automatic processing off, for a paper without an abstract, or for a paper with a file', async () => {
  const [off, on] = [await newProject(false), await newProject()]
  const { document } = await add({ project_id: off, ...WALKS })
  const id = await added(on, NAPS)
  const { document: filed } = await add({ project_id: on, ...EMPTY })
  const form = new FormData()
  form.append('file', new File(['%PDF-1.4 broken'], 'broken.pdf', { type: 'application/pdf' }))
  expect((await ada.fetch(api.documentFile(filed.id), { method: 'POST', body: form })).status).toBe(200)
  await edit(document.id, { abstract: 'No adult walked.' })
  await edit(filed.id, { abstract: 'No nurse napped.' })
  await edit(id, { abstract: null })
  expect([await kindsOf(document.id), await kindsOf(id)]).toEqual([[], ['vectorize']])
  expect(await kindsOf(filed.id)).not.toContain('vectorize')
})

it('A paper is vectorized when a join changes its abstract, and when the join is undone', async () => {
  const project_id = await newProject()
  const keep_id = await added(project_id, TEA)
  const other = await added(project_id, NAPS)
  const body = { keep_id, join_ids: [other], fields: { abstract: other } }
  const { data } = await ada.json<{ data: JoinResult }>(api.duplicatesJoin(), { body })
  await vectorized(keep_id)
  expect(await kindsOf(keep_id)).toEqual(['vectorize', 'vectorize'])
  await ada.json(api.joinedPaperUndo(data.joined[0]!.id), { body: {} })
  await vectorized(keep_id)
  expect(await kindsOf(keep_id)).toEqual(['vectorize', 'vectorize', 'vectorize'])
})
