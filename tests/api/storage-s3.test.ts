import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { startS3Server, type S3Server } from '#tests/helpers/s3-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import type { DocumentDetail, DocumentRow } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api, functionPath } from '#shared/contract/paths.ts'

/** This file tests a server that stores its files in an S3-compatible bucket. */

const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
const NO_ANSWER = 'The file storage did not answer. Please try again later.'

let bucket: S3Server
let server: TestServer
let ada: Client
let project: string
beforeAll(async () => {
  bucket = await startS3Server()
  server = await startServer({ env: bucket.env })
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Bucket' } })).data.id
})
afterEach(() => bucket.fail(null))
afterAll(async () => {
  await server.stop()
  await bucket.stop()
})

const upload = () => ada.upload<DocumentRow>(project, new File([paper], 'Müller 2024.pdf', { type: 'application/pdf' }))

async function tryUpload(): Promise<[number, unknown]> {
  const form = new FormData()
  form.append('project_id', project)
  form.append('file', new File([paper], 'x.pdf', { type: 'application/pdf' }))
  const response = await ada.fetch(api.documents(), { method: 'POST', body: form })
  return [response.status, await response.json()]
}

async function extract(id: string): Promise<Job> {
  const { data } = await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'text' } })
  return ada.job(data.id)
}

/** Returns the names of temporary files of uploads and extractions that remain in the server's data folder. */
const leftBehind = () => readdir(join(server.dataDir, 'uploads')).catch(() => [])

describe('the main workflow of a paper', () => {
  it('A paper is stored in the bucket only, read in ranges, extracted and deleted (STOR-05)', async () => {
    const made = await upload()
    expect([...bucket.objects.keys()]).toEqual([made.source_url])
    expect(new Uint8Array(bucket.objects.get(made.source_url!)!)).toEqual(paper)
    expect(await leftBehind()).toEqual([])
    expect(await readdir(server.dataDir)).not.toContain('files')

    const whole = await ada.fetch(api.documentFile(made.id))
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(paper.length)])
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(paper)
    bucket.requests.length = 0
    const part = await ada.fetch(api.documentFile(made.id), { headers: { range: 'bytes=100-199' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${paper.length}`])
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(paper.slice(100, 200))
    expect(bucket.requests.map(({ method, range }) => [method, range])).toEqual([
      ['HEAD', undefined],
      ['GET', 'bytes=100-199'],
    ])
    expect((await ada.fetch(api.documentFile(made.id), { headers: { range: `bytes=${paper.length}-` } })).status).toBe(
      416,
    )
    const head = await ada.fetch(api.documentFile(made.id), { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(paper.length)])

    expect(await extract(made.id)).toMatchObject({ status: 'completed', error: null })
    expect((await ada.json<{ data: DocumentDetail }>(api.document(made.id))).data.extracted_text).toContain('[Page 4]')

    await ada.json(api.document(made.id), { method: 'DELETE' })
    // A deleted document can be restored for thirty days, so its file remains.
    expect(bucket.objects.size).toBe(1)
    await ada.json(api.trash(), { method: 'DELETE' })
    await expect.poll(() => bucket.objects.size).toBe(0)
  })
})

describe('a bucket that fails', () => {
  it.each(['unavailable', 'denied', 'drop'] as const)(
    'A bucket that fails (%s) at an upload is reported with a message, and nothing is stored',
    async (how) => {
      const before = await ada.json<{ count: number }>(api.documents())
      bucket.fail(how)
      expect(await tryUpload()).toEqual([502, { error: { code: 'outside_failed', message: NO_ANSWER } }])
      bucket.fail(null)
      expect((await ada.json<{ count: number }>(api.documents())).count).toBe(before.count)
      expect([...bucket.objects.keys()]).toEqual([])
      expect(await leftBehind()).toEqual([])
    },
  )

  it.each(['unavailable', 'drop'] as const)(
    'An upload succeeds if the bucket fails (%s) twice and then answers, as after an idle connection that it closed',
    async (how) => {
      bucket.fail(how, 2)
      const { id, source_url } = await upload()
      expect(new Uint8Array(bucket.objects.get(source_url!)!)).toEqual(paper)
      await ada.json(api.document(id), { method: 'DELETE' })
    },
  )

  it.each(['unavailable', 'drop'] as const)(
    'A bucket that fails (%s) at a read is answered with 502, and reads work again with the bucket (ERR-19)',
    async (how) => {
      const { id } = await upload()
      bucket.fail(how)
      const response = await ada.fetch(api.documentFile(id))
      expect([response.status, response.headers.get('content-type')]).toEqual([502, 'application/json'])
      expect(((await response.json()) as { error: { message: string } }).error.message).toBe(NO_ANSWER)
      bucket.fail(null)
      expect(new Uint8Array(await (await ada.fetch(api.documentFile(id))).arrayBuffer())).toEqual(paper)
      await ada.json(api.document(id), { method: 'DELETE' })
    },
  )

  it('A bucket that fails in the middle of a read shows the client that the file is incomplete, and the server continues', async () => {
    const { id } = await upload()
    bucket.fail('cut')
    await expect(ada.fetch(api.documentFile(id)).then((response) => response.arrayBuffer())).rejects.toThrow()
    bucket.fail(null)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await ada.json(api.document(id), { method: 'DELETE' })
  })

  it.runIf(IS_LONG_RUN)(
    'A bucket that fails at an extraction is named on the document, which can be extracted later',
    async () => {
      const { id } = await upload()
      bucket.fail('denied')
      const failed = await extract(id)
      expect([failed.status, failed.error]).toEqual(['failed', NO_ANSWER])
      expect((await ada.json<{ data: DocumentDetail }>(api.document(id))).data).toMatchObject({
        status: 'error',
        status_message: NO_ANSWER,
      })
      bucket.fail(null)
      expect((await extract(id)).status).toBe('completed')
      await ada.json(api.document(id), { method: 'DELETE' })
    },
    120_000,
  )

  it('A bucket failure during a call of ocr-pdf answers 502, not a client error', async () => {
    const { id } = await upload()
    bucket.fail('cut')
    const body = JSON.stringify({ document_url: id })
    const headers = { 'content-type': 'application/json' }
    const read = await ada.fetch(functionPath('ocr-pdf'), { method: 'POST', headers, body })
    expect([read.status, await read.json()]).toEqual([502, { error: NO_ANSWER }])
    bucket.fail(null)
    await ada.json(api.document(id), { method: 'DELETE' })
  })

  it('A bucket that fails at a permanent deletion does not keep the document, and its file is removed later', async () => {
    const { id } = await upload()
    await ada.json(api.document(id), { method: 'DELETE' })
    bucket.fail('denied')
    expect((await ada.fetch(api.trash(), { method: 'DELETE' })).status).toBe(200)
    expect((await ada.fetch(api.documentRestore(id), { method: 'POST' })).status).toBe(404)
    await expect.poll(() => server.output()).toContain('could not be removed yet')
    expect(bucket.objects.size).toBeGreaterThan(0)
    bucket.fail(null)
    // Files are removed every minute, and after each permanent deletion.
    await ada.fetch(api.trash(), { method: 'DELETE' })
    await expect.poll(() => bucket.objects.size).toBe(0)
  })

  it('The server is not ready while the bucket fails, and names storage as the reason', async () => {
    bucket.fail('unavailable')
    const response = await fetch(`${server.url}/readyz`)
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'not ready', failed: ['storage'], reasons: { storage: 'failed' } },
    ])
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })
})

it('A file that was removed from the bucket answers 404, not 502', async () => {
  const { id } = await upload()
  bucket.objects.clear()
  const response = await ada.fetch(api.documentFile(id))
  expect([response.status, await response.json()]).toEqual([
    404,
    { error: { code: 'not_found', message: 'Document source URL not found' } },
  ])
})

it('The server creates its data folder at the start, so that it is ready before the first upload', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'lectern-test-'))
  const settings = { DATA_DIR: join(parent, 'new'), AUTH_SECRET: 'a secret of at least 32 characters' }
  try {
    // The helper waits until the server is ready.
    const other = await startServer({ dataDir: parent, env: { ...bucket.env, ...settings } })
    await other.stop()
    expect(await readdir(parent)).toContain('new')
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
})

it('The size of the bucket is counted page by page for the operator', async () => {
  bucket.objects.clear()
  await Promise.all([upload(), upload(), upload()])
  const { size_mb } = await ada.json<{ size_mb: number }>(functionPath('rpc/get_storage_size'), { body: {} })
  expect(size_mb).toBeCloseTo((3 * paper.length) / 1024 / 1024, 2)
})

it('The secret key is never in the log', () => {
  expect(server.output()).not.toContain(bucket.env['S3_SECRET_ACCESS_KEY'])
})
