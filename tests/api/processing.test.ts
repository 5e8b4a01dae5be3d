import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { join } from '#tests/helpers/asking.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import type { DocumentDetail, DocumentRow } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { JOB_CANCELLED, JOB_PAUSED, type Job } from '#shared/contract/jobs.ts'
import type { CancelledUpload, PausedUpload, ProjectProgress } from '#shared/contract/processing.ts'

let server: TestServer
let ada: Client
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
})
afterAll(() => server.stop())

const fixture = async (name: string) => {
  const bytes = new Uint8Array(await readFile(new URL(`../fixtures/${name}`, import.meta.url)))
  return new File([bytes], name, { type: 'application/pdf' })
}
/** Returns a paper of one page, which is processed in a short time. */
const shortPaper = (name: string) => new File([onePagePdf(['Naps helped older adults to fall asleep.'])], name)
const projectWith = async (name: string, process_automatically: boolean) =>
  (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name, process_automatically } })).data.id
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const jobsOf = async (id: string) =>
  (await ada.json<{ data: { kind: string }[] }>(api.jobs({ document_id: id }))).data.map((job) => job.kind).toSorted()

const slowly = { interval: 200 }

it('A project with automatic processing on extracts, analyzes and vectorizes a new document (PROJ-26, EXTR-10)', async () => {
  const project = await projectWith('By itself', true)
  const { id } = await ada.upload(project, await fixture('paper.pdf'))
  await expect.poll(async () => (await read(id)).vectorized_at, slowly).not.toBeNull()
  const analyzed = { status: 'completed', evidence_level: 'Level 2: Randomised controlled trial' }
  await expect.poll(() => read(id), slowly).toMatchObject(analyzed)
  expect(await jobsOf(id)).toEqual(['analyze', 'extract', 'vectorize'])
  // The pause or cancellation of an upload finds the jobs by this field.
  const inputs = await inDatabase(
    server,
    `select input ->> 'automatic' as automatic from jobs where document_id = $1`,
    [id],
  )
  expect(inputs).toEqual([{ automatic: 'true' }, { automatic: 'true' }, { automatic: 'true' }])
})

it('A step that fails stops the processing, and the document shows the reason', async () => {
  const project = await projectWith('By itself, a locked file', true)
  const { id } = await ada.upload(project, await fixture('paper-password.pdf'))
  await expect.poll(async () => (await read(id)).status, slowly).toBe('error')
  expect(await read(id)).toMatchObject({
    status_message: 'This PDF is protected by a password.',
    failed_step: 'extract',
  })
  expect(await jobsOf(id)).toEqual(['extract'])
})

it('The choice of an upload overrides the automatic processing of its project', async () => {
  const [on, off] = [await projectWith('On', true), await projectWith('Off', false)]
  const still = await ada.upload(on, await fixture('paper.pdf'), { process_automatically: 'false' })
  const processed = await ada.upload(off, await fixture('paper.pdf'), { process_automatically: 'true' })
  expect(await jobsOf(processed.id)).toContain('extract')
  expect(await jobsOf(still.id)).toEqual([])
  expect(await read(still.id)).toMatchObject({ status: 'pending' })
})

it('In a project with automatic processing off, an upload and an extraction that a user started queue no further step (PROJ-26, EXTR-10)', async () => {
  const project = await projectWith('By hand', false)
  const { id } = await ada.upload(project, await fixture('paper.pdf'))
  expect(await read(id)).toMatchObject({ status: 'pending', extracted_text: null })
  const { data } = await ada.json<{ data: { id: string } }>(api.documentExtract(id), { body: { method: 'text' } })
  await ada.job(data.id)
  // The next step of a later extraction, in a project with the switch on, has started. A next step of this one would
  // have started before.
  const marker = await ada.upload(await projectWith('Marker', true), await fixture('paper.pdf'))
  await expect.poll(() => jobsOf(marker.id), slowly).toContain('analyze')
  expect(await jobsOf(id)).toEqual(['extract'])
})

const progressOf = async (project: string, upload_id: string) =>
  (await ada.json<{ data: ProjectProgress }>(api.projectProgress(project, { upload_id }))).data
const pause = (upload: string, is_paused: boolean) =>
  ada.json(api.upload(upload), { method: 'PATCH', body: { is_paused } })

const activeJobs = async (id: string) =>
  (await ada.json<{ data: Job[] }>(api.jobs({ document_id: id, active: 'true' }))).data
const isVectorized = async (id: string) => (await read(id)).vectorized_at !== null

it('A paused upload starts no step, also after a restart of the server, and its papers become ready after it is resumed', async () => {
  const project = await projectWith('Paused', true)
  const upload = randomUUID()
  const fields = { upload_id: upload }
  await ada.upload(project, await fixture('truncated.pdf'), fields)
  await expect.poll(async () => (await progressOf(project, upload)).failed, slowly).toBe(1)
  await pause(upload, true)
  const { id } = await ada.upload(project, await fixture('paper.pdf'), fields)
  // Both jobs are fetched in the order of their start. The later job has run, so the earlier one would have run too.
  const other = await ada.upload(project, await fixture('paper.pdf'), { upload_id: randomUUID() })
  await expect.poll(async () => (await read(other.id)).vectorized_at, slowly).not.toBeNull()
  await server.restart()
  expect(await progressOf(project, upload)).toMatchObject({
    total: 2,
    ready: 0,
    failed: 1,
    open: 1,
    waiting: 1,
    is_paused: true,
    seconds_left: null,
    failures: [{ step: 'extract', error_code: 'damaged_file' }],
  })
  expect(await read(id)).toMatchObject({ status: 'processing', extracted_text: null })
  await pause(upload, false)
  await expect.poll(async () => (await read(id)).vectorized_at, slowly).not.toBeNull()
  // The analysis can end after the vectors.
  await expect.poll(() => progressOf(project, upload), slowly).toMatchObject({ ready: 1, open: 0, is_paused: false })
})

it('The cancellation of an upload ends the processing of its papers, except steps of other members', async () => {
  const project = await projectWith('Cancelled', true)
  const [upload, other] = [randomUUID(), randomUUID()]
  // The upload is paused, so that the first step cannot end before the cancellation.
  const [mine, theirs] = await Promise.all(
    [upload, other].map(async (upload_id) => {
      await ada.upload(project, await fixture('truncated.pdf'), { upload_id, process_automatically: 'false' })
      await pause(upload_id, true)
      return ada.upload(project, await fixture('paper.pdf'), { upload_id })
    }),
  )
  const ben = await signUp(server.url)
  await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
    project,
    ben.userId,
  ])
  const others = await ada.upload(project, await fixture('paper.pdf'), { upload_id: upload })
  await inDatabase(server, 'update jobs set created_by = $1 where document_id = $2', [ben.userId, others.id])
  await expect.poll(async () => (await activeJobs(others.id))[0]?.progress_text, slowly).toBe(JOB_PAUSED)
  const { data } = await ada.json<{ data: CancelledUpload }>(api.uploadCancel(upload), { method: 'POST' })
  expect(data).toEqual({ id: upload, is_paused: false, continuing: 1 })
  expect(await read(mine!.id)).toMatchObject({ status: 'pending' })
  await expect.poll(() => isVectorized(others.id), slowly).toBe(true)
  expect(await read(theirs!.id)).toMatchObject({ status: 'processing' })
  expect(await progressOf(project, upload)).toMatchObject({ is_paused: false })
  await pause(other, false)
  await expect.poll(async () => (await read(theirs!.id)).vectorized_at, slowly).not.toBeNull()
})

/** Uploads a paper whose steps wait because its upload is paused. */
async function pausedPaper() {
  const project = await projectWith(`Paused ${randomUUID()}`, true)
  const upload = randomUUID()
  const first = await ada.upload(project, shortPaper('first.pdf'), {
    upload_id: upload,
    process_automatically: 'false',
  })
  await pause(upload, true)
  const { id } = await ada.upload(project, shortPaper('naps.pdf'), { upload_id: upload })
  await ada.json(api.document(first.id), { method: 'DELETE' })
  return { project, upload, id }
}

it('The vectors of another model are renewed while an upload is paused', async () => {
  const { id: waiting } = await pausedPaper()
  const { id } = await ada.upload(await projectWith('Former model', true), shortPaper('former.pdf'))
  await expect.poll(() => isVectorized(id), slowly).toBe(true)
  expect(await activeJobs(waiting)).toMatchObject([{ status: 'queued' }])
  const { embedding_model: model } = await read(id)
  await inDatabase(server, `update documents set embedding_model = 'former' where id = $1`, [id])
  // The renewal searches for such documents every thirty seconds.
  const renewed = { interval: 200, timeout: 120_000 }
  await expect.poll(async () => (await read(id)).embedding_model, renewed).toBe(model)
})

/** Requests a step of a paper, waits for the end of its job and returns the job. */
async function requestStep(path: string, body: object, by = ada) {
  const { data } = await by.json<{ data: Job }>(path, { body })
  return by.job(data.id)
}

describe('a paused upload for other members', () => {
  it('Every member sees a paused upload, and a member who may edit its papers resumes it', async () => {
    const { project, upload } = await pausedPaper()
    const [editor, viewer] = [await join(server, project, 'editor'), await join(server, project, 'viewer')]
    const stranger = await signUp(server.url)
    const pausedFor = async (who: Client) => (await who.json<{ data: PausedUpload[] }>(api.pausedUploads(project))).data
    const resume = (who: Client) =>
      who.fetch(api.upload(upload), {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ is_paused: false }),
      })
    const row = { id: upload, created_by: { id: ada.userId, name: expect.any(String) as string } }
    expect(await pausedFor(ada)).toEqual([{ ...row, is_own: true, may_resume: true }])
    expect(await pausedFor(editor)).toEqual([{ ...row, is_own: false, may_resume: true }])
    expect(await pausedFor(viewer)).toEqual([{ ...row, is_own: false, may_resume: false }])
    expect((await stranger.fetch(api.pausedUploads(project))).status).toBe(404)
    const { data } = await editor.json<{ data: ProjectProgress }>(api.projectProgress(project, { upload_id: upload }))
    expect(data).toMatchObject({ open: 1, is_paused: true })

    expect((await resume(viewer)).status).toBe(403)
    expect((await resume(stranger)).status).toBe(404)
    expect((await resume(editor)).status).toBe(200)
    expect(await pausedFor(editor)).toEqual([])
  })

  it('A member cannot resume an upload with papers in a project that the member may not edit', async () => {
    const { project, upload } = await pausedPaper()
    const other = await projectWith(`Private ${randomUUID()}`, false)
    const { id: moved } = await ada.upload(project, await fixture('truncated.pdf'), {
      upload_id: upload,
      process_automatically: 'false',
    })
    await ada.json(api.document(moved), { method: 'PATCH', body: { project_id: other } })
    const editor = await join(server, project, 'editor')
    const { data } = await editor.json<{ data: PausedUpload[] }>(api.pausedUploads(project))
    expect(data).toMatchObject([{ id: upload, may_resume: false }])
    const body = JSON.stringify({ is_paused: false })
    const headers = { 'content-type': 'application/json' }
    expect((await editor.fetch(api.upload(upload), { method: 'PATCH', headers, body })).status).toBe(403)
    expect((await progressOf(project, upload)).is_paused).toBe(true)
    await ada.json(api.uploadCancel(upload), { method: 'POST' })
  })
})

describe('the request of a step of a paper whose upload is paused', () => {
  it('A requested step runs, and the steps that no user requested wait until the upload is resumed', async () => {
    const { project, upload, id } = await pausedPaper()
    const editor = await join(server, project, 'editor')
    const [waiting] = await activeJobs(id)
    await expect.poll(async () => (await activeJobs(id))[0]?.progress_text, slowly).toBe(JOB_PAUSED)
    const extraction = await requestStep(api.documentExtract(id), { method: 'text' }, editor)
    expect(extraction).toMatchObject({ status: 'completed', is_own: true })
    expect(await ada.job(waiting!.id)).toMatchObject({ status: 'failed', error: JOB_CANCELLED })
    expect((await read(id)).extracted_text).not.toBeNull()

    await expect
      .poll(async () => new Map((await activeJobs(id)).map((job) => [job.kind, job.progress_text])), slowly)
      .toEqual(
        new Map([
          ['analyze', JOB_PAUSED],
          ['vectorize', JOB_PAUSED],
        ]),
      )
    expect(await requestStep(api.documentVectorize(id), {})).toMatchObject({ status: 'completed' })
    expect(await progressOf(project, upload)).toMatchObject({ is_paused: true, open: 1 })
    expect((await read(id)).analyzed_at).toBeNull()
    await pause(upload, false)
    expect((await activeJobs(id)).filter((job) => job.progress_text === JOB_PAUSED)).toEqual([])
    await expect.poll(async () => (await read(id)).analyzed_at, slowly).not.toBeNull()
  })

  it('A requested OCR replaces the extraction that waits, so that the upload does not replace its text', async () => {
    const { upload, id } = await pausedPaper()
    const [waiting] = await activeJobs(id)
    expect(await requestStep(api.documentExtract(id), { method: 'ocr' })).toMatchObject({ status: 'completed' })
    expect(await ada.job(waiting!.id)).toMatchObject({ status: 'failed', error: JOB_CANCELLED })
    expect(await read(id)).toMatchObject({ extraction_method: 'ocr' })
    await ada.json(api.uploadCancel(upload), { method: 'POST' })
  })

  it('A bulk run processes the papers of a paused upload', async () => {
    const { id } = await pausedPaper()
    const body = { document_ids: [id], steps: ['extract', 'vectorize'] }
    expect(await requestStep(api.documentsProcess(), body)).toMatchObject({
      status: 'completed',
      result: { done: 1, failed: [] },
    })
    expect(await isVectorized(id)).toBe(true)
  })

  // Only a server of PostgreSQL has a second connection with a transaction of its own.
  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'A requested step replaces a waiting automatic job that is stored at the moment of the request',
    async () => {
      const { upload, id } = await pausedPaper()
      expect(await requestStep(api.documentExtract(id), { method: 'text' })).toMatchObject({ status: 'completed' })
      const findWaiting = async () => (await activeJobs(id)).find(({ kind }) => kind === 'vectorize')
      await expect.poll(findWaiting, slowly).toMatchObject({ status: 'queued', progress_text: JOB_PAUSED })
      const waiting = (await findWaiting())!.id
      const client = new pg.Client({ connectionString: server.databaseUrl })
      await client.connect()
      try {
        // The job is absent until the commit: the request finds no job to replace, and then waits to insert its own.
        await client.query('create temporary table waiting as select * from jobs where id = $1', [waiting])
        await client.query('delete from jobs where id = $1', [waiting])
        await client.query('begin')
        await client.query('insert into jobs select * from waiting')
        const requested = requestStep(api.documentVectorize(id), {})
        const isBlocked = `select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))`
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        await expect.poll(() => inDatabase(server, isBlocked, [rows[0]!.pid]), slowly).toHaveLength(1)
        await client.query('commit')
        expect(await requested).toMatchObject({ status: 'completed' })
        expect(await ada.job(waiting)).toMatchObject({ status: 'failed', error: JOB_CANCELLED })
      } finally {
        await client.end()
      }
      await ada.json(api.uploadCancel(upload), { method: 'POST' })
    },
  )

  // Only a server of PostgreSQL has a second connection that can lock rows.
  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'A pause does not stop a step that a user requested while it waited in the queue',
    async () => {
      const project = await projectWith('Requested in the queue', true)
      const { id: first } = await ada.upload(project, shortPaper('first.pdf'), { process_automatically: 'false' })
      await requestStep(api.documentExtract(first), { method: 'text' })
      const client = new pg.Client({ connectionString: server.databaseUrl })
      await client.connect()
      try {
        // Vectors are calculated for one paper at a time: the second job waits until the first has stored its vectors.
        await client.query('begin')
        await client.query('select from documents where id = $1 for no key update', [first])
        const { data: blocking } = await ada.json<{ data: Job }>(api.documentVectorize(first), { body: {} })
        const isRunning = async () => (await activeJobs(first)).some(({ status }) => status === 'running')
        await expect.poll(isRunning, slowly).toBe(true)
        const upload = randomUUID()
        const { id } = await ada.upload(project, shortPaper('naps.pdf'), { upload_id: upload })
        const findWaiting = async () => (await activeJobs(id)).find(({ kind }) => kind === 'vectorize')
        await expect.poll(findWaiting, slowly).toMatchObject({ status: 'queued' })
        const { data: requested } = await ada.json<{ data: Job }>(api.documentVectorize(id), { body: { force: true } })
        expect(requested.id).toBe((await findWaiting())?.id)
        await pause(upload, true)
        await client.query('commit')
        expect(await ada.job(blocking.id)).toMatchObject({ status: 'completed' })
        expect(await ada.job(requested.id)).toMatchObject({ status: 'completed' })
      } finally {
        await client.end()
      }
    },
  )
})

// Only a server of PostgreSQL has a second connection that can lock rows.
it.skipIf(!process.env['TEST_DATABASE_URL'])(
  'A worker that fetches the jobs of an upload does not wait for a transaction that resumes the upload',
  async () => {
    const { project, upload, id } = await pausedPaper()
    await expect.poll(async () => (await activeJobs(id))[0]?.progress_text, slowly).toBe(JOB_PAUSED)
    const client = new pg.Client({ connectionString: server.databaseUrl })
    await client.connect()
    try {
      await client.query('begin')
      await client.query('update uploads set is_paused = false where id = $1', [upload])
      // The start of the server returns the waiting jobs to the queue.
      await server.restart()
      const { id: other } = await ada.upload(project, shortPaper('other.pdf'), { upload_id: randomUUID() })
      // Shorter than the time limit of a statement, which would end the wait of the worker.
      const isExtracted = async () => (await read(other)).extracted_text !== null
      await expect.poll(isExtracted, { timeout: 45_000, interval: 200 }).toBe(true)
      await client.query('commit')
    } finally {
      await client.end()
    }
    await expect.poll(() => isVectorized(id), slowly).toBe(true)
  },
)

it('The progress of an upload, the list and the paper name the failure of vectors until a repetition succeeds', async () => {
  const project = await projectWith('Vectors failed', false)
  const upload = randomUUID()
  const { id } = await ada.upload(project, await fixture('paper.pdf'), { upload_id: upload })
  await requestStep(api.documentExtract(id), { method: 'text' })
  await inDatabase(
    server,
    `insert into jobs (kind, status, error, error_code, created_by, document_id, project_id, finished_at)
      values ('vectorize', 'failed', 'The model refused the request.', 'outside_failed', $1, $2, $3, now())`,
    [ada.userId, id, project],
  )
  expect(await read(id)).toMatchObject({ status: 'completed' })
  const errors = async () => {
    const list = await ada.json<{ data: DocumentRow[] }>(api.documents({ project_id: project }))
    return [(await read(id)).vector_error, list.data[0]!.vector_error]
  }
  expect(await errors()).toEqual(['The model refused the request.', 'The model refused the request.'])
  const message = 'The model refused the request.'
  const failure = { document_id: id, step: 'vectorize', message, error_code: 'outside_failed' }
  expect(await progressOf(project, upload)).toMatchObject({ total: 1, ready: 0, failed: 1, failures: [failure] })
  await requestStep(api.documentVectorize(id), {})
  expect(await progressOf(project, upload)).toMatchObject({ total: 1, ready: 1, failed: 0, failures: [] })
  expect(await errors()).toEqual([null, null])
})

it('The list of active jobs begins with the running ones, then the newest', async () => {
  const project = await projectWith('Active', false)
  const { id } = await ada.upload(project, await fixture('paper.pdf'))
  for (const [kind, status, seconds] of [
    ['ocr', 'running', 3],
    ['analyze', 'queued', 2],
    ['vectorize', 'queued', 1],
  ])
    await inDatabase(
      server,
      `insert into jobs (kind, status, created_by, document_id, project_id, created_at)
        values ($1, $2, $3, $4, $5, now() - $6 * interval '1 second')`,
      [kind, status, ada.userId, id, project, seconds],
    )
  const { data } = await ada.json<{ data: Job[] }>(api.jobs({ project_id: project, active: 'true' }))
  expect(data.map(({ kind }) => kind)).toEqual(['ocr', 'vectorize', 'analyze'])
})

it('The progress of an upload estimates the time for its other papers', async () => {
  const project = await projectWith('Estimated', true)
  const upload = randomUUID()
  await ada.upload(project, await fixture('paper.pdf'), { upload_id: upload })
  // A paper is ready when none of its jobs runs, which is after its vectors are stored.
  await expect.poll(async () => (await progressOf(project, upload)).ready, slowly).toBe(1)
  await ada.upload(project, await fixture('paper-scan.pdf'), { upload_id: upload })
  const { ready, seconds_left } = await progressOf(project, upload)
  expect(ready).toBe(1)
  expect(seconds_left).toBeGreaterThan(0)
  await ada.json(api.uploadCancel(upload), { method: 'POST' })
})
