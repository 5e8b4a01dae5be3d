import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { JOB_CANCELLED, JOB_PAUSED, type Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { adminCommand } from '#tests/helpers/admin.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { withTransaction } from '#tests/helpers/open-transaction.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const slowly = { interval: 100, timeout: 60_000 }

/**
 * Requests and jobs that change the same rows at the same time. A second connection holds locks, so that the steps happen in
 * the order of the test.
 */
describe.skipIf(!process.env['TEST_DATABASE_URL'])('jobs at the same time (needs a PostgreSQL server)', () => {
  let provider: OpenAiServer
  let server: TestServer
  let ada: Client
  let other: pg.Client
  beforeAll(async () => {
    provider = await startOpenAiServer()
    const env = { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' }
    // One text layer is read at a time.
    server = await startServer({ env: { ...env, WORKERS: '1' } })
    ada = await signUp(server.url)
    other = new pg.Client({ connectionString: server.databaseUrl })
    await other.connect()
  })
  afterEach(async () => {
    provider.reset()
    await other.query('rollback')
    await other.query('drop trigger if exists hold_step on jobs')
  })
  afterAll(async () => {
    await other?.end()
    await server?.stop()
    await provider?.stop()
  })

  const newProject = async (process_automatically: boolean) => {
    const body = { name: randomUUID(), process_automatically }
    return (await ada.json<{ data: { id: string } }>(api.projects(), { body })).data.id
  }
  const paper = () => new File([onePagePdf(['Naps helped older adults to fall asleep.'])], 'naps.pdf')
  const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
  const jobsOf = async (document_id: string) => (await ada.json<{ data: Job[] }>(api.jobs({ document_id }))).data
  const start = async (path: string, body: object) => (await ada.json<{ data: Job }>(path, { body })).data.id

  /** Lets no job store a text of the document until `other` ends its transaction. Does not affect other changes. */
  async function holdText(id: string) {
    await other.query(`create or replace function hold() returns trigger language plpgsql
      as 'begin perform pg_advisory_xact_lock(4242); return new; end'`)
    await other.query(`create trigger hold before update of extracted_text on documents
      for each row when (old.id = '${id}') execute function hold()`)
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock(4242)')
  }

  it('A requested OCR replaces the automatic extraction that waits in the queue', async () => {
    const { id: first } = await ada.upload(await newProject(false), paper())
    await holdText(first)
    const blocking = await start(api.documentExtract(first), { method: 'text' })
    await expect.poll(async () => (await jobsOf(first))[0]?.status, slowly).toBe('running')
    const { id } = await ada.upload(await newProject(true), paper())
    const [waiting] = await jobsOf(id)
    expect(waiting).toMatchObject({ kind: 'extract', status: 'queued' })
    const requested = await start(api.documentExtract(id), { method: 'ocr' })
    expect(await ada.job(requested)).toMatchObject({ status: 'completed' })
    await other.query('commit')
    await ada.job(blocking)
    expect(await ada.job(waiting!.id)).toMatchObject({ status: 'failed', error: JOB_CANCELLED })
    expect(await read(id)).toMatchObject({ extraction_method: 'ocr' })
    // The automatic processing continues after the requested step.
    await expect.poll(async () => (await read(id)).vectorized_at, slowly).not.toBeNull()
    await expect.poll(async () => (await read(id)).analyzed_at, slowly).not.toBeNull()
  })
  it('A waiting job of a paused upload ends after its account is disabled by a command', async () => {
    const ben = await signUp(server.url)
    const body = { name: 'Disabled', process_automatically: true }
    const { data: project } = await ben.json<{ data: { id: string } }>(api.projects(), { body })
    const upload_id = randomUUID()
    await ben.upload(project.id, paper(), { upload_id, process_automatically: 'false' })
    await ben.json(api.upload(upload_id), { method: 'PATCH', body: { is_paused: true } })
    const { id } = await ben.upload(project.id, paper(), { upload_id })
    const waiting = () =>
      inDatabase(server, 'select status, error, progress_text from jobs where document_id = $1', [id])
    await expect.poll(waiting, slowly).toMatchObject([{ status: 'queued', progress_text: JOB_PAUSED }])
    expect(await adminCommand(server, 'disable', ben.email)).toMatchObject({ code: 0 })
    await server.restart()
    await expect.poll(waiting, slowly).toMatchObject([{ status: 'failed', error: JOB_CANCELLED }])
    expect(await inDatabase(server, 'select status from documents where id = $1', [id])).toEqual([
      { status: 'pending' },
    ])
  })
  it('An attempt that fails after another process began the next one does not change the status of the paper', async () => {
    const project = await newProject(false)
    const papers = [1, 2, 3].map(async () => {
      const { id } = await ada.upload(project, paper())
      const body = { extracted_text: '[Page 1]\nNaps helped.' }
      await ada.json(api.documentText(id), { method: 'PUT', body })
      return id
    })
    const [lost, hanging, next] = (await Promise.all(papers)) as [string, string, string]
    const analyze = (id: string) => start(api.documentAnalyze(id), { again: true })
    const reply = Promise.withResolvers<void>()
    provider.next('chat', { kind: 'status', status: 401, after: reply.promise }, { kind: 'hang' })
    const job = await analyze(lost)
    await expect.poll(() => provider.requests.length, slowly).toBe(1)
    const other = await analyze(hanging)
    await expect.poll(() => provider.requests.length, slowly).toBe(2)
    // Two analyses run at a time: this one begins when the failure has been handled.
    const after = await analyze(next)
    await inDatabase(server, 'update jobs set attempt = attempt + 1 where id = $1', [job])
    reply.resolve()
    expect(await ada.job(after)).toMatchObject({ status: 'completed' })
    expect(await read(lost)).toMatchObject({ status: 'processing', status_message: null })
    for (const id of [job, other]) await ada.json(api.jobCancel(id), { method: 'POST' })
  })
  it('A bulk run that is cancelled while it starts a step also cancels this step', async () => {
    const { id } = await ada.upload(await newProject(false), paper())
    await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: '[Page 1]\nNaps helped.' } })
    provider.always('chat', { kind: 'hang' })
    await withTransaction(server, async (lock) => {
      await lock.query('select from documents where id = $1 for no key update', [id])
      const run = await start(api.documentsProcess(), { document_ids: [id], steps: ['analyze'] })
      // The index of passages locks the document too, but does not read all its columns.
      await expect.poll(() => lock.countWaiting(/"analysis_undo"/), slowly).toBe(1)
      // Without a notification: the run notices the cancellation when it stores the job of the step.
      await inDatabase(server, 'update jobs set error = $2 where id = $1', [run, JOB_CANCELLED])
      await lock.commit()
      await expect
        .poll(async () => (await jobsOf(id))[0], slowly)
        .toMatchObject({ kind: 'analyze', error: JOB_CANCELLED })
      await ada.json(api.jobCancel(run), { method: 'POST' })
    })
  })
  it('A request starts a job if the active job of the same step ends at this moment', async () => {
    const { id } = await ada.upload(await newProject(false), paper())
    await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: '[Page 1]\nNaps helped.' } })
    provider.always('chat', { kind: 'hang' })
    const first = await start(api.documentAnalyze(id), { again: true })
    await expect.poll(() => provider.requests.length, slowly).toBe(1)
    // The request waits after its second insertion has also found the active job.
    await other.query('create sequence insertions')
    await other.query(`create function hold_second() returns trigger language plpgsql
      as 'begin perform pg_advisory_xact_lock(nextval(''insertions'')); return new; end'`)
    await other.query('create trigger hold_step after insert on jobs for each statement execute function hold_second()')
    await withTransaction(server, async (own) => {
      await own.query('select pg_advisory_xact_lock(2)')
      const requested = start(api.documentAnalyze(id), { again: true })
      await expect.poll(() => own.countWaiting(/into "jobs"/), slowly).toBe(1)
      await inDatabase(server, `update jobs set status = 'completed', finished_at = now() where id = $1`, [first])
      await own.commit()
      expect(await requested).not.toBe(first)
    })
    for (const { id: job } of await jobsOf(id)) await ada.json(api.jobCancel(job), { method: 'POST' })
  })
})
