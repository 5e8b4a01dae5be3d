import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { type Client, createDatabase, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/** Two servers share one PostgreSQL database and one file storage. A request of a user can reach either server. */
describe.skipIf(!process.env['TEST_DATABASE_URL'])('two servers (needs a PostgreSQL server)', () => {
  let database: NonNullable<Awaited<ReturnType<typeof createDatabase>>>
  let dataDir: string
  let provider: OpenAiServer
  let one: TestServer
  let two: TestServer
  let ada: Client
  let there: Client
  let project: string

  beforeAll(async () => {
    database = (await createDatabase())!
    dataDir = await mkdtemp(join(tmpdir(), 'lectern-test-'))
    provider = await startOpenAiServer()
    const env = { DATABASE_URL: database.url, AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' }
    // Both start at once on an empty database: one creates the tables, the other waits.
    ;[one, two] = await Promise.all([startServer({ dataDir, env }), startServer({ dataDir, env })])
    ada = await signUp(one.url)
    there = { ...ada, url: two.url }
    there.fetch = (path, init = {}) => {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${ada.token}`)
      return fetch(`${two.url}${path}`, { ...init, headers })
    }
    project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Shared' } })).data.id
  })
  afterAll(async () => {
    await one?.stop()
    await two?.stop()
    await provider?.stop()
    await database?.drop()
    if (dataDir) await rm(dataDir, { recursive: true, force: true })
  })

  const paper = async (title: string) => {
    const { id } = await ada.upload(
      project,
      new File([onePagePdf([title])], `${title}.pdf`, { type: 'application/pdf' }),
    )
    await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `[Page 1]\n${title} helped.` } })
    return id
  }
  const analyze = async (id: string) => (await ada.json<{ data: Job }>(api.documentAnalyze(id), { body: {} })).data.id
  const statusesOf = async (ids: string[]) =>
    Promise.all(
      ids.map(
        async (id) => ((await (await there.fetch(api.document(id))).json()) as { data: DocumentDetail }).data.status,
      ),
    )

  it('Two servers know the same session, file and change, and inform every page', async () => {
    const stop = new AbortController()
    const stream = await there.fetch(api.events(), { signal: stop.signal })
    const id = await paper('Naps')
    let heard = ''
    for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
      heard += piece
      if (heard.includes(id)) break
    }
    stop.abort()
    expect((await there.fetch(api.documentFile(id))).status).toBe(200)
    // A sign-out on one server is effective on both.
    const other = await signUp(two.url)
    await other.json('/auth/v1/sign-out', { body: {} })
    const again = await fetch(`${one.url}${api.projects()}`, { headers: { authorization: `Bearer ${other.token}` } })
    expect(again.status).toBe(401)
  })

  it('Two servers run every job once', async () => {
    provider.reset()
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => paper(`Paper ${n}`)))
    const jobs = await Promise.all(ids.map(analyze))
    for (const job of jobs) expect(await ada.job(job)).toMatchObject({ status: 'completed' })
    expect(provider.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(8)
  })

  it('A starting server keeps the uploads of the other server', async () => {
    const uploads = () => readdir(join(dataDir, 'uploads'))
    const body = Buffer.concat([
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="project_id"\r\n\r\n${project}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="slow.pdf"\r\n\r\n`,
      ),
      Buffer.from(onePagePdf(['Slow'.repeat(400)])),
      Buffer.from('\r\n--b--\r\n'),
    ])
    const socket = connect(Number(new URL(one.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    socket.write(
      `POST ${api.documents()} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
    )
    socket.write(body.subarray(0, 1500))
    await expect.poll(uploads).toHaveLength(1)
    const old = join(dataDir, 'uploads', 'left')
    await writeFile(old, '')
    await utimes(old, new Date(0), new Date(0))
    await two.restart()
    expect(await uploads()).toHaveLength(1)
    const closed = new Promise((done) => socket.once('close', done))
    socket.write(body.subarray(1500))
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('A server continues the jobs of a server that died during them', async () => {
    provider.reset()
    provider.always('chat', { kind: 'hang' })
    const ids = await Promise.all(Array.from({ length: 4 }, (_, n) => paper(`Left ${n}`)))
    const jobs = await Promise.all(ids.map(analyze))
    await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBeGreaterThan(2)
    await one.kill('SIGKILL')
    provider.reset()
    await two.restart()
    await expect
      .poll(async () => (await statusesOf(ids)).filter((status) => status === 'completed'), { timeout: 90_000 })
      .toHaveLength(4)
    for (const id of jobs)
      expect((await (await there.fetch(api.job(id))).json()) as object).toMatchObject({ data: { status: 'completed' } })
    expect(two.output()).not.toMatch(/failed unexpectedly|[Uu]nhandled/)
  })
})
