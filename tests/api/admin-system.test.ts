import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CreatedKey } from '#shared/contract/api-keys.ts'
import type { AuditEntry } from '#shared/contract/audit.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { ImportRow } from '#shared/contract/imports.ts'
import { JOB_KINDS, type Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import type { FailedJob, FailingFeed, SystemStatus } from '#shared/contract/system.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { body, type FeedServer, item, rss, startFeedServer, status as refuse } from '#tests/helpers/feed-server.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let feed: FeedServer
let root: Client
let ada: Client
beforeAll(async () => {
  feed = await startFeedServer()
  server = await startServer({ env: { GUARDED_FETCH_ALLOW: feed.host } })
  root = await signUp(server.url)
  ada = await signUp(server.url)
})
afterAll(async () => {
  await server.stop()
  await feed.stop()
})

const status = async () => (await root.json<{ data: SystemStatus }>(api.adminSystemStatus())).data
const failed = () => root.json<{ data: FailedJob[]; count: number }>(api.adminFailedJobs())

it('The system page reports the state of the installation', async () => {
  const now = await status()
  expect(now).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node_version: process.version,
    failing: [],
    database: {
      mode: server.databaseUrl ? 'server' : 'embedded',
      version: expect.stringMatching(/^\d+/),
    },
    storage: { kind: 'folder', place: `${server.dataDir}/files` },
    people: { count: 2, admins: 1, disabled: 0, active: 2 },
    feeds: { followed: 0, failing: 0, last_success_at: null },
  })
  expect(now.queue.map(({ kind }) => kind)).toEqual([...JOB_KINDS])
  expect(Date.now() - Date.parse(now.started_at)).toBeLessThan(300_000)
})

it('The system page lists failed jobs, starts them again for their owner, and deletes them', async () => {
  const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })
  const truncated = await readFile(new URL('../fixtures/truncated.pdf', import.meta.url))
  const damaged = new File([truncated], 'damaged.pdf', { type: 'application/pdf' })
  const jobs: Job[] = []
  for (let n = 0; n < 2; n++) {
    const document = await ada.upload(project.id, damaged)
    const { data } = await ada.json<{ data: Job }>(api.documentExtract(document.id), { body: { method: 'text' } })
    jobs.push(await ada.job(data.id))
  }
  expect(jobs.map((job) => job.status)).toEqual(['failed', 'failed'])

  const list = await failed()
  expect(list.count).toBe(2)
  expect(list.data.map(({ id }) => id)).toEqual([jobs[1]!.id, jobs[0]!.id])
  expect(list.data[0]).toMatchObject({ kind: 'extract', error: jobs[1]!.error, attempt: 1, owner_email: ada.email })
  expect((await status()).queue.find(({ kind }) => kind === 'extract')).toMatchObject({ queued: 0, failed: 2 })
  expect((await root.json<{ count: number }>(api.adminFailedJobs({ kind: 'ocr' }))).count).toBe(0)

  const again = await root.fetch(api.adminFailedJobRetry(jobs[0]!.id), { method: 'POST' })
  expect(again.status).toBe(202)
  const { data: retried } = (await again.json()) as { data: Job }
  expect([retried.kind, retried.document_id, retried.id === jobs[0]!.id]).toEqual([
    'extract',
    jobs[0]!.document_id,
    false,
  ])
  // The job belongs to its owner, who sees that it fails again.
  expect(await ada.job(retried.id)).toMatchObject({ status: 'failed', error: jobs[0]!.error })
  expect((await failed()).data.map(({ id }) => id)).toEqual([retried.id, jobs[1]!.id])

  // As after the deletion of an account that worked in a project of other users.
  await inDatabase(server, 'update jobs set created_by = null where id = $1', [retried.id])
  expect((await failed()).data.map(({ id, owner_email }) => [id, owner_email])).toEqual([
    [retried.id, null],
    [jobs[1]!.id, ada.email],
  ])
  await inDatabase(server, 'update jobs set created_by = $2 where id = $1', [retried.id, ada.userId])

  expect((await root.fetch(api.adminFailedJob(retried.id), { method: 'DELETE' })).status).toBe(204)
  expect((await root.fetch(api.adminFailedJob(retried.id), { method: 'DELETE' })).status).toBe(404)
  await root.json(api.adminPerson(ada.userId), { method: 'PATCH', body: { disabled: true } })
  const refused = await root.fetch(api.adminFailedJobRetry(jobs[1]!.id), { method: 'POST' })
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { error: { message: 'The account of this job is disabled.' } },
  ])
  expect((await failed()).data.map(({ id }) => id)).toEqual([jobs[1]!.id])
  const log = await root.json<{ data: AuditEntry[] }>(api.adminAudit({ kind: 'job' }))
  expect(log.data.map(({ action, subject }) => [action, subject])).toEqual([
    ['job.deleted', 'extract'],
    ['job.retried', 'extract'],
  ])
})

it('The failed job of a deleted document does not start again', async () => {
  const ben = await signUp(server.url)
  const { data: project } = await ben.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })
  const truncated = await readFile(new URL('../fixtures/truncated.pdf', import.meta.url))
  const { id } = await ben.upload(project.id, new File([truncated], 'damaged.pdf', { type: 'application/pdf' }))
  const { data: job } = await ben.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'text' } })
  expect((await ben.job(job.id)).status).toBe('failed')
  await ben.json(api.document(id), { method: 'DELETE' })
  const refused = await root.fetch(api.adminFailedJobRetry(job.id), { method: 'POST' })
  expect([refused.status, await refused.json()]).toMatchObject([404, { error: { message: 'Document not found' } }])
  const restored = await ben.json(api.documentRestore(id), { method: 'POST' })
  expect(restored).toMatchObject({ data: { status: 'error' } })
  expect((await failed()).data.map(({ id }) => id)).toContain(job.id)
  // Other tests list all failed jobs.
  await inDatabase(server, 'delete from jobs where id = $1', [job.id])
})

it('A failed import that starts again has the id of its new job and no error', async () => {
  const ben = await signUp(server.url)
  const { data: project } = await ben.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Again' } })
  const job = await importReferences(ben, project.id, { 'naps.ris': 'TY  - JOUR\nTI  - Naps\nER  - \n' })
  await inDatabase(
    server,
    `with failed as (update jobs set status = 'failed', error = 'No answer' where id = $1)
     update imports set state = 'failed', error = 'No answer' where job_id = $1`,
    [job.id],
  )
  const { data: retried } = await root.json<{ data: Job }>(api.adminFailedJobRetry(job.id), { method: 'POST' })
  expect((await ben.job(retried.id)).status).toBe('completed')
  const { data } = await ben.json<{ data: ImportRow[] }>(api.imports({ project_id: project.id }))
  expect(data).toMatchObject([{ state: 'done', job_id: retried.id, error: null }])
})

it('A failed job that an API key started starts again with the limits of this key', async () => {
  const ben = await signUp(server.url)
  const { data: project } = await ben.json<{ data: { id: string } }>(api.projects(), { body: { name: 'By a key' } })
  const body = { name: 'Script', scopes: ['read', 'ask', 'write'], project_ids: null }
  const { data: key } = await ben.json<{ data: CreatedKey }>(api.keys(), { body })
  const truncated = await readFile(new URL('../fixtures/truncated.pdf', import.meta.url))
  const { id } = await ben.upload(project.id, new File([truncated], 'damaged.pdf', { type: 'application/pdf' }))
  const started = await fetch(server.url + api.documentExtract(id), {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'text' }),
  })
  const { data: job } = (await started.json()) as { data: Job }
  expect((await ben.job(job.id)).status).toBe('failed')
  const { data: retried } = await root.json<{ data: Job }>(api.adminFailedJobRetry(job.id), { method: 'POST' })
  await ben.job(retried.id)
  expect(await inDatabase(server, 'select key_id from jobs where id = $1', [retried.id])).toEqual([{ key_id: key.id }])
  // Other tests list all failed jobs.
  await inDatabase(server, 'delete from jobs where id = $1', [retried.id])
})

it('The retry of a job that is active already does not change the status of its document', async () => {
  const ben = await signUp(server.url)
  const { data: project } = await ben.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Active' } })
  const paper = await readFile(new URL('../fixtures/paper.pdf', import.meta.url))
  const { id } = await ben.upload(project.id, new File([paper], 'paper.pdf', { type: 'application/pdf' }))
  const own = '[Page 1]\nA text.'
  await ben.json(api.documentText(id), { method: 'PUT', body: { extracted_text: own } })
  // The running job has stored its result, and its row is not completed yet.
  const [job, active] = [crypto.randomUUID(), crypto.randomUUID()]
  await inDatabase(
    server,
    `insert into jobs (id, kind, status, error, created_by, document_id, project_id)
     values ($1, 'analyze', 'failed', 'No answer', $5, $3, $4), ($2, 'analyze', 'running', null, $5, $3, $4)`,
    [job, active, id, project.id, ben.userId],
  )
  expect(await root.json(api.adminFailedJobRetry(job), { method: 'POST' })).toMatchObject({ data: { id: active } })
  expect((await ben.json<{ data: DocumentDetail }>(api.document(id))).data.status).toBe('completed')
  // Other tests count the jobs of the queue.
  await inDatabase(server, 'delete from jobs where id = $1', [active])
})

it('A failed job whose step was done later is not listed and does not start again', async () => {
  const ben = await signUp(server.url)
  const { data: project } = await ben.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Done later' } })
  const paper = await readFile(new URL('../fixtures/paper.pdf', import.meta.url))
  const { id } = await ben.upload(project.id, new File([paper], 'paper.pdf', { type: 'application/pdf' }))
  const listed = async () => (await failed()).data.map(({ id }) => id)
  const retry = (job: string) => root.fetch(api.adminFailedJobRetry(job), { method: 'POST' })
  const done = async (path: string, body: object) => {
    const { data } = await ben.json<{ data: Job }>(path, { body })
    expect((await ben.job(data.id)).status).toBe('completed')
    return data.id
  }
  const fail = (job: string) =>
    inDatabase(
      server,
      `with failed as (update jobs set status = 'failed', error = 'The file storage did not answer.' where id = $1)
       update documents set status = 'error' where id = $2`,
      [job, id],
    )
  const extraction = await done(api.documentExtract(id), { method: 'text' })
  await fail(extraction)
  expect(await listed()).toContain(extraction)
  const own = '[Page 1]\nThe text of another program.'
  await ben.json(api.documentText(id), { method: 'PUT', body: { extracted_text: own } })
  expect(await listed()).not.toContain(extraction)
  expect((await retry(extraction)).status).toBe(404)

  // An analysis that fails later shows the paper as failed, too.
  const ocr = await done(api.documentExtract(id), { method: 'text' })
  await inDatabase(server, `update jobs set kind = 'ocr' where id = $1`, [ocr])
  const analysis = await done(api.documentAnalyze(id), {})
  await fail(analysis)
  expect(await listed()).toEqual(expect.arrayContaining([analysis]))
  expect(await listed()).not.toContain(extraction)
  expect((await retry(extraction)).status).toBe(404)
  const { count } = await root.json<{ count: number }>(api.adminFailedJobs({ kind: 'extract' }))
  expect((await status()).queue.find(({ kind }) => kind === 'extract')).toMatchObject({ failed: count })

  await done(api.documentAnalyze(id), {})
  expect(await listed()).not.toContain(analysis)
  expect((await retry(analysis)).status).toBe(404)
  expect((await ben.json<{ data: DocumentDetail }>(api.document(id))).data.status).toBe('completed')
})

it('The system page lists the failing feeds with their followers, and reads one feed before its scheduled time', async () => {
  // The feed is read once when it is added, and fails before a user follows it.
  const url = feed.set('/broken', body(rss(item('First'))))
  const { data: project } = await root.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Feeds' } })
  const { data: journal } = await root.json<{ data: { id: string } }>(api.journals(), {
    body: { name: 'Journal of Silence', url },
  })
  feed.set('/broken', refuse(500))
  await root.json(api.subscriptions(), { body: { project_id: project.id, journal_id: journal.id } })
  const failing = async () => (await root.json<{ data: FailingFeed[] }>(api.adminFailingFeeds())).data
  await expect.poll(async () => (await failing()).length, { timeout: 60_000 }).toBe(1)
  expect((await failing())[0]).toMatchObject({
    url,
    journals: ['Journal of Silence'],
    followers: 1,
    failures: 1,
    last_error: expect.stringMatching(/\w/),
    last_fetched_at: null,
  })
  expect((await status()).feeds).toEqual({ followed: 1, failing: 1, last_success_at: null })
  const path = api.adminFailingFeedTry((await failing())[0]!.id)
  feed.set('/broken', body(rss(item('First'), item('Second'))))
  expect(await root.json(path, { method: 'POST' })).toMatchObject({ data: { last_error: null, article_count: 2 } })
  expect(await failing()).toEqual([])
  // The site is not requested again at once, for any user.
  const again = await root.fetch(api.subscriptionTry(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: project.id, journal_id: journal.id }),
  })
  expect([again.status, Number(again.headers.get('retry-after')) > 50]).toEqual([429, true])
  expect((await root.fetch(api.adminFailingFeedTry(crypto.randomUUID()), { method: 'POST' })).status).toBe(404)
})
