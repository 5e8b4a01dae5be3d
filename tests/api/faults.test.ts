import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { type Client, createDatabase, signIn, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/** This file tests faults of the machine of the server: the database is temporarily unreachable, or the disk is full. */

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function started(options: Parameters<typeof startServer>[0]): Promise<TestServer> {
  const server = await startServer(options)
  stops.push(() => server.stop())
  return server
}

async function projectOf(client: Client): Promise<string> {
  return (await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Faults' } })).data.id
}

const small = (name: string) =>
  new File([onePagePdf([name, 'One sentence in a small paper.'])], `${name}.pdf`, { type: 'application/pdf' })

/**
 * Starts a TCP proxy to the database `target`. `cut` ends all connections and refuses new ones; `mend` accepts connections
 * again.
 */
async function wireTo(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let cut = false
  const server = createServer((near) => {
    if (cut) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = new URL(target)
  address.port = String((server.address() as AddressInfo).port)
  return {
    url: address.href,
    cut: () => {
      cut = true
      for (const socket of sockets) socket.destroy()
    },
    mend: () => {
      cut = false
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

describe.skipIf(!process.env['TEST_DATABASE_URL'])('a database server (needs a PostgreSQL server)', () => {
  it('While the database server is unreachable, calls are refused, and the server works again when the database returns', async () => {
    const database = (await createDatabase())!
    stops.push(() => database.drop())
    const wire = await wireTo(database.url)
    stops.push(() => wire.stop())
    const server = await started({ env: { DATABASE_URL: wire.url, METRICS_TOKEN: 'of-prometheus' } })
    const metrics = async () =>
      (await fetch(`${server.url}/metrics`, { headers: { authorization: 'Bearer of-prometheus' } })).text()
    const { pid } = server
    const ada = await signUp(server.url)
    const project = await projectOf(ada)
    const { id } = await ada.upload(project, small('before'))

    wire.cut()
    const refused = await ada.fetch(api.document(id))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.text()).not.toMatch(/ECONN|postgres|127\.0\.0\.1|node_modules/)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect(await metrics()).toMatch(/^lectern_database_up 0$/m)
    const visitor = await fetch(`${server.url}/auth/v1/get-session`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    expect(visitor.status).toBe(503)

    wire.mend()
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 60_000 }).toBe(200)
    expect(server.pid).toBe(pid)
    expect(await metrics()).toMatch(/^lectern_database_up 1$/m)
    expect((await ada.json<{ data: DocumentDetail }>(api.document(id))).data.status).toBe('pending')
    const { data: job } = await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'text' } })
    expect(await ada.job(job.id)).toMatchObject({ status: 'completed' })
  })
})

describe('a provider that never answers', () => {
  it('A job of a silent provider can be cancelled, a stopping server answers waiting calls, and the job continues at the next start', async () => {
    const provider = await startOpenAiServer()
    stops.push(() => provider.stop())
    const server = await started({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
    const ada = await signUp(server.url)
    const { id } = await ada.upload(await projectOf(ada), small('naps'))
    await ada.json(api.documentText(id), {
      method: 'PUT',
      body: { extracted_text: '[Page 1]\nNaps helped older adults.' },
    })
    const start = async (path: string) => (await ada.json<{ data: Job }>(path, { body: {} })).data.id
    await ada.job(await start(api.documentVectorize(id)))
    provider.always('chat', { kind: 'hang' })
    const asked = async (count: number) =>
      await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBe(count)

    const first = await start(api.documentAnalyze(id))
    await asked(1)
    await ada.json(api.jobCancel(first), { method: 'POST' })
    expect(await ada.job(first)).toMatchObject({ status: 'failed', error: 'Cancelled' })

    const second = await start(api.documentAnalyze(id))
    await asked(2)
    const ask = (accept: string) =>
      ada.fetch(api.documentChat(id), {
        method: 'POST',
        body: JSON.stringify({ question: 'Whom did naps help?' }),
        headers: { 'content-type': 'application/json', accept },
      })
    const [stream, answer] = [ask('text/event-stream'), ask('application/json')]
    await asked(4)
    const stopped = server.kill('SIGTERM')
    const restarting = 'The server is being restarted. Please try again in a minute.'
    expect(await (await stream).text()).toContain(restarting)
    expect(await (await answer).json()).toMatchObject({ error: { message: restarting } })
    await stopped
    provider.reset()
    await server.restart({ newPort: true })
    expect(await (await signIn(server.url, ada)).job(second)).toMatchObject({ status: 'completed' })
  })
})

describe('the folder of files', () => {
  it('While the folder of files is missing, calls for files fail, and no data is lost when the folder returns', async () => {
    const server = await started({})
    const { pid } = server
    const ada = await signUp(server.url)
    const project = await projectOf(ada)
    const [kept, gone] = [await ada.upload(project, small('kept')), await ada.upload(project, small('gone'))]
    const folder = join(server.dataDir, 'files')
    const pdfs = async () => (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.pdf'))
    const noAnswer = async (response: Response) =>
      expect([response.status, await response.json()]).toEqual([
        502,
        { error: { code: 'outside_failed', message: 'The file storage did not answer. Please try again later.' } },
      ])
    const form = () => {
      const body = new FormData()
      body.append('project_id', project)
      body.append('file', small('new'))
      return body
    }

    // An unmounted disk leaves an empty folder.
    await rename(folder, `${folder}-away`)
    await mkdir(folder)
    await noAnswer(await ada.fetch(api.documentFile(kept.id)))
    await noAnswer(await ada.fetch(api.documents(), { method: 'POST', body: form() }))
    expect((await ada.json<{ count: number }>(api.documents())).count).toBe(2)
    expect(await readdir(join(server.dataDir, 'uploads'))).toEqual([])
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({
      status: 'not ready',
      failed: ['storage'],
      reasons: { storage: 'failed' },
    })
    const { data: job } = await ada.json<{ data: Job }>(api.documentExtract(kept.id), { body: { method: 'text' } })
    await expect
      .poll(async () => (await ada.json<{ data: Job }>(api.job(job.id))).data.progress_text)
      .toMatch(/^The file storage did not answer.* Trying again in 5 seconds/)
    await ada.json(api.document(gone.id), { method: 'DELETE' })
    await ada.json(api.trashDocument(gone.id), { method: 'DELETE' })
    await expect.poll(() => server.output()).toContain('could not be removed yet')

    await rm(folder, { recursive: true })
    await rename(`${folder}-away`, folder)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(await ada.job(job.id)).toMatchObject({ status: 'completed' })
    expect((await ada.fetch(api.documentFile(kept.id))).status).toBe(200)
    const made = await ada.upload(project, small('again'))
    // Files are removed every minute, and after each permanent deletion.
    await ada.json(api.document(made.id), { method: 'DELETE' })
    await ada.json(api.trashDocument(made.id), { method: 'DELETE' })
    await expect.poll(pdfs).toHaveLength(1)
    expect(server.pid).toBe(pid)
    expect(server.output()).not.toMatch(/failed unexpectedly|[Uu]nhandled/)
  })
})

/** Mounts a temporary disk of this size and returns its folder. Returns null without the right to mount (root on Linux). */
function smallDisk(megabytes: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-disk-'))
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder])
  if (made.status === 0) {
    stops.push(async () => {
      spawnSync('umount', [folder])
      rmSync(folder, { recursive: true, force: true })
    })
    return folder
  }
  rmSync(folder, { recursive: true, force: true })
  return null
}

const canMount = process.platform === 'linux' && process.getuid?.() === 0

describe.skipIf(!canMount || !process.env['TEST_DATABASE_URL'])(
  'a full disk (needs root on Linux and a PostgreSQL server)',
  () => {
    it('A full disk refuses the upload with a message, stores no part of it, and accepts it when there is space', async () => {
      // A server is not ready with less than 32 MB of free space.
      const dataDir = smallDisk(60)!
      expect(dataDir).not.toBeNull()
      const server = await started({ dataDir })
      const ada = await signUp(server.url)
      const project = await projectOf(ada)
      const large = new Uint8Array(35_000_000)
      large.set(onePagePdf(['A long paper']))
      const send = async (name: string) => {
        const form = new FormData()
        form.append('project_id', project)
        form.append('file', new File([large], name, { type: 'application/pdf' }))
        return ada.fetch(api.documents(), { method: 'POST', body: form })
      }
      const first = await send('first.pdf')
      expect(first.status).toBe(201)
      const { data } = (await first.json()) as { data: { id: string } }

      const second = await send('second.pdf')
      expect(second.status).toBe(507)
      expect(((await second.json()) as { error: { message: string } }).error.message).toBe(
        'There is no space left to store files. Please inform the operator of this installation.',
      )
      expect(await readdir(join(dataDir, 'uploads')).catch(() => [])).toEqual([])
      const list = await ada.json<{ count: number }>(`${api.documents()}?project_id=${project}`)
      expect(list.count).toBe(1)
      const kept = Buffer.from(await (await ada.fetch(api.documentFile(data.id))).arrayBuffer())
      expect(Buffer.compare(kept, large)).toBe(0)

      await ada.fetch(api.document(data.id), { method: 'DELETE' })
      // A deleted document can be restored; its file is removed after the permanent deletion.
      await ada.fetch(api.trashDocument(data.id), { method: 'DELETE' })
      await expect.poll(async () => (await send('third.pdf')).status, { timeout: 90_000, interval: 1_000 }).toBe(201)
      expect(await readFile(join(dataDir, 'auth-secret'), 'utf8')).toBeTruthy()
    })
  },
)
