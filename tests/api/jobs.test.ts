import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Job, JobKind, LiveEvent } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { createDatabase, freePort } from '#tests/helpers/server.ts'
import type { Script } from './queue-process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SERVER = process.env['TEST_DATABASE_URL']
vi.setConfig({ testTimeout: 300_000 })

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
async function until<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  what: string,
  limitMs = 240_000,
): Promise<T> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`Timed out while waiting for: ${what}`)
    await pause(25)
  }
}

interface Heard {
  id: string
  event: string | null
  data: LiveEvent['data'] | null
}

/** Starts queue-process.ts, a process that executes jobs. Several such processes can share a database server. */
async function startProcess(env: Record<string, string>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess
  let errors = ''
  const start = async () => {
    child = spawn(process.execPath, [join(programs, 'queue-process.js')], {
      cwd: tmpdir(),
      env: {
        PATH: process.env['PATH'],
        LOG_LEVEL: 'error',
        JOB_SILENCE_SECONDS: '10',
        // Node compiles the program once instead of at each start.
        NODE_COMPILE_CACHE: join(programs, 'compiled'),
        ...env,
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const mine = child
    child.stderr!.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    await new Promise<void>((ready, fail) => {
      mine.stdout!.once('data', () => ready())
      mine.once('exit', (code) => fail(new Error(`It ended at start (${code}): ${errors}`)))
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = new Promise((done) => child.once('exit', done))
      child.kill(signal)
      await exited
    }
    return child.exitCode
  }
  await start()
  const call = (path: string, user?: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...(user ? { 'x-user': user } : {}), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const json = async <T>(...request: Parameters<typeof call>) => {
    const response = await call(...request)
    if (!response.ok) throw new Error(`${request[0]}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const getJob = async (user: string, id: string) => (await json<{ data: Job }>(api.job(id), user)).data
  return {
    start,
    end,
    isGone: () => child.exitCode !== null || child.signalCode !== null,
    errors: () => errors,
    call,
    json,
    getJob,
    /** Creates an account. Also creates a document of this account if `document` is true. */
    user: async (document = false) => {
      const id = randomBytes(6).toString('hex')
      return {
        id,
        document: (await json<{ document: string | null }>('/test/user', undefined, { id, document })).document,
      }
    },
    enqueue: async (
      user: string,
      input: Script,
      more: { kind?: JobKind; document?: string | null; rollback?: boolean } = {},
    ) => call('/test/job', user, { kind: 'analyze', input, ...more }),
    job: async (user: string, input: Script, more: { kind?: JobKind; document?: string | null } = {}) =>
      (await json<{ data: Job }>('/test/job', user, { kind: 'analyze', input, ...more })).data,
    over: (user: string, id: string, limitMs?: number) =>
      until(
        async () => {
          const job = await getJob(user, id)
          return (job.status === 'completed' || job.status === 'failed') && job
        },
        `the end of job ${id}`,
        limitMs,
      ),
    rows: () => json<{ waiting: number; documents: Record<string, string> }>('/test/rows'),
    seen: () =>
      json<{
        runs: Record<string, number>
        ended: string[]
        failed: { id: string; error: string; cancelled: boolean; key?: string }[]
        most: Partial<Record<JobKind, number>>
      }>('/test/seen'),
    /** Opens the event stream of a user and collects its ids and events until `stop` is called. */
    listen: async (user: string, lastEventId?: string, past: { past_ms?: number } = {}) => {
      const control = new AbortController()
      const heard: Heard[] = []
      let text = ''
      const response = await fetch(`${url}${api.events(past)}`, {
        headers: { 'x-user': user, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
        signal: control.signal,
      })
      const ended = (async () => {
        const decoder = new TextDecoder()
        for await (const chunk of response.body!) {
          text += decoder.decode(chunk, { stream: true })
          const blocks = text.split('\n\n')
          text = blocks.pop()!
          for (const block of blocks) {
            const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null
            const data = field('data')
            if (field('id') !== null)
              heard.push({
                id: field('id')!,
                event: field('event'),
                data: data === null ? null : (JSON.parse(data) as LiveEvent['data']),
              })
          }
        }
      })().catch(() => undefined)
      await until(() => heard.length > 0, 'the first id')
      return {
        response,
        heard,
        events: () => heard.filter(({ event }) => event !== null),
        stop: () => (control.abort(), ended),
        ended,
      }
    },
  }
}

/** The folder with the built queue-process.js. Starting the TypeScript source would take a second longer. */
let programs: string
let env: Record<string, string>
let one: Awaited<ReturnType<typeof startProcess>>
let clean: () => Promise<void>

beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), 'lectern-test-'))
  await symlink(join(ROOT, 'node_modules'), join(programs, 'node_modules'), 'junction')
  const bundler = join(ROOT, 'bin/prepare/bundle-server.mjs')
  await promisify(execFile)(process.execPath, [bundler, programs, 'tests/api/queue-process.ts'])
  const folder = await mkdtemp(join(tmpdir(), 'lectern-test-'))
  env = { DATA_DIR: folder }
  const database = await createDatabase()
  if (database) env['DATABASE_URL'] = database.url
  clean = async () => {
    await database?.drop()
    for (const left of [folder, programs]) await rm(left, { recursive: true, force: true })
  }
  one = await startProcess(env)
})

afterAll(async () => {
  await one.end('SIGTERM')
  await clean()
})

describe('a job', () => {
  it('A job is queued, reports progress and completes, and only its owner sees it (API-09)', async () => {
    const { id: anna } = await one.user()
    const { id: ben } = await one.user()
    const queued = await one.job(anna, { steps: 20, stepMs: 150 })
    expect(queued).toMatchObject({ kind: 'analyze', status: 'queued', progress: 0, error: null, result: null })
    await until(async () => {
      const { status, progress, progress_text } = await one.getJob(anna, queued.id)
      return status === 'running' && progress > 0 && progress < 100 && /^Step \d+ of 20$/.test(progress_text ?? '')
    }, 'progress')
    expect(await one.over(anna, queued.id)).toMatchObject({
      status: 'completed',
      progress: 100,
      progress_text: null,
      is_own: true,
      result: { attempt: 1 },
    })
    expect((await one.call(api.job(queued.id), ben)).status).toBe(404)
    expect((await one.call(api.jobCancel(queued.id), ben, {})).status).toBe(404)
    expect((await one.call(api.job(queued.id))).status).toBe(401)
    expect(await one.json(api.jobs(), ben)).toEqual({ data: [], count: 0 })
    expect(await one.json(api.jobs(), anna)).toMatchObject({ data: [{ id: queued.id }], count: 1 })
    expect(await one.json(api.jobs({ active: 'true' }), anna)).toEqual({ data: [], count: 0 })
    expect((await one.call(api.job('nonsense'), anna)).status).toBe(404)
  })

  it('A job exists only when its transaction commits', async () => {
    const { id: anna } = await one.user()
    const before = await one.rows()
    expect((await one.enqueue(anna, {}, { rollback: true })).status).toBe(422)
    expect(await one.json(api.jobs(), anna)).toEqual({ data: [], count: 0 })
    expect((await one.rows()).waiting).toBe(before.waiting)
  })

  it('A document has one job of a kind: a double click finds the first, another wish is refused', async () => {
    const { id: anna, document } = await one.user(true)
    const clicks = await Promise.all([1, 2, 3, 4].map(() => one.job(anna, { steps: 40, stepMs: 100 }, { document })))
    expect(new Set(clicks.map(({ id }) => id)).size).toBe(1)
    const other = await one.enqueue(anna, { steps: 1 }, { document })
    expect(other.status).toBe(409)
    expect(((await other.json()) as { error: { code: string } }).error.code).toBe('conflict')
    const elsewhere = await one.job(anna, { steps: 1 }, { document, kind: 'vectorize' })
    expect(elsewhere.id).not.toBe(clicks[0]!.id)
    await one.over(anna, clicks[0]!.id)
    expect((await one.seen()).runs[clicks[0]!.id]).toBe(1)
    const next = await one.job(anna, { steps: 1 }, { document })
    expect(next.id).not.toBe(clicks[0]!.id)
    expect(await one.over(anna, next.id)).toMatchObject({ status: 'completed' })
    await one.over(anna, elsewhere.id)
  })

  it('The follow-up of a failed job has the API key of the request that queued the job', async () => {
    const { id: anna } = await one.user()
    const input: Script = { failUpTo: 1, code: 'refused', withKey: true }
    const { data: job, key } = await one.json<{ data: Job; key: string }>('/test/job', anna, { kind: 'analyze', input })
    expect(await one.over(anna, job.id)).toMatchObject({ status: 'failed' })
    expect((await one.seen()).failed.find(({ id }) => id === job.id)).toMatchObject({ key })
  })

  it('A job is repeated after a failure of an outside service, after the requested pause', async () => {
    const { id: anna } = await one.user()
    const asked = Date.now()
    const job = await one.job(anna, { failUpTo: 1, code: 'too_many', retryAfter: 7 })
    const waiting = await until(async () => {
      const now = await one.getJob(anna, job.id)
      return now.progress_text !== null && now
    }, 'the second try to be announced')
    expect(waiting).toMatchObject({
      status: 'queued',
      progress_text: 'The model did not answer. Trying again in 7 seconds.',
    })
    expect(await one.over(anna, job.id)).toMatchObject({ status: 'completed', result: { attempt: 2 } })
    expect(Date.now() - asked).toBeGreaterThan(6_500)
  })

  it('A job fails at once, with its document, when a repetition would not help', async () => {
    const { id: anna, document } = await one.user(true)
    const job = await one.job(anna, { failUpTo: 9, code: 'refused' }, { document })
    expect(await one.over(anna, job.id)).toMatchObject({
      status: 'failed',
      error: 'The model did not answer.',
      result: null,
    })
    const rows = await one.rows()
    expect(rows.documents[document!]).toBe('error')
    expect((await one.seen()).runs[job.id]).toBe(1)
  })

  it('A job continues as a job of another kind, or fails at once when its document has an active job of that kind', async () => {
    const { id: anna, document } = await one.user(true)
    const active = await one.job(anna, { steps: 1000, stepMs: 50 }, { kind: 'vectorize', document })
    await until(async () => (await one.getJob(anna, active.id)).status === 'running', 'the job to run')
    const job = await one.job(anna, { continueAs: 'vectorize' }, { kind: 'extract', document })
    expect(await one.over(anna, job.id)).toMatchObject({
      kind: 'extract',
      status: 'failed',
      error: 'This document is being vectorized already.',
    })
    expect((await one.seen()).runs[job.id]).toBe(1)
    expect(await one.getJob(anna, active.id)).toMatchObject({ status: 'running' })
    await one.json(api.jobCancel(active.id), anna, {})
    const next = await one.job(anna, { continueAs: 'vectorize' }, { kind: 'extract', document })
    expect(await one.over(anna, next.id)).toMatchObject({ kind: 'vectorize', status: 'completed' })
  })

  it('A job shows no detail of an unexpected error (ERR-03)', async () => {
    const { id: anna } = await one.user()
    const job = await one.job(anna, { failUpTo: 9, code: 'unforeseen' })
    expect((await one.over(anna, job.id)).error).toBe('An unknown error occurred.')
    expect((await one.seen()).runs[job.id]).toBe(1)
  })

  it('A job is stopped when it takes too long', async () => {
    const { id: anna } = await one.user()
    const job = await one.job(anna, { steps: 100, stepMs: 100 }, { kind: 'ocr' })
    expect((await one.over(anna, job.id)).error).toBe('The processing took too long and was stopped.')
  })

  it('A job is cancelled while it waits and while it runs', async () => {
    const { id: anna, document } = await one.user(true)
    const running = await one.job(anna, { steps: 1000, stepMs: 50 }, { kind: 'vectorize', document })
    await until(async () => (await one.getJob(anna, running.id)).status === 'running', 'the job to run')
    const waiting = await one.job(anna, { steps: 3 }, { kind: 'vectorize' })
    const cancel = async (id: string) => (await one.json<{ data: Job }>(api.jobCancel(id), anna, {})).data
    expect(await cancel(waiting.id)).toMatchObject({ status: 'failed', error: 'Cancelled' })
    expect(await cancel(running.id)).toMatchObject({ status: 'failed', error: 'Cancelled' })
    expect(await cancel(running.id)).toMatchObject({ status: 'failed', error: 'Cancelled' })
    // The worker is free for the next one.
    const next = await one.job(anna, { steps: 1 }, { kind: 'vectorize', document })
    expect(await one.over(anna, next.id)).toMatchObject({ status: 'completed' })
    const seen = await one.seen()
    expect(seen.runs[waiting.id]).toBeUndefined()
    expect(seen.failed.filter(({ id }) => id === running.id)).toEqual([
      { id: running.id, error: 'Cancelled', cancelled: true },
    ])
    expect((await one.rows()).documents[document!]).toBe('pending')
    expect(await cancel(next.id)).toMatchObject({ status: 'completed', error: null })
  })

  it.runIf(IS_LONG_RUN)('A job that ignores its signal releases its worker, and stores nothing', async () => {
    const { id: anna } = await one.user()
    const deaf = await one.job(anna, { steps: 80, stepMs: 100, deaf: true }, { kind: 'vectorize' })
    await until(async () => (await one.getJob(anna, deaf.id)).status === 'running', 'the job to run')
    await one.json(api.jobCancel(deaf.id), anna, {})
    const next = await one.job(anna, { steps: 1 }, { kind: 'vectorize' })
    await one.over(anna, next.id)
    await until(async () => (await one.seen()).ended.includes(deaf.id), 'the handler to return')
    await one.over(anna, (await one.job(anna, { steps: 1 }, { kind: 'vectorize' })).id)
    expect(await one.getJob(anna, deaf.id)).toMatchObject({ status: 'failed', error: 'Cancelled', result: null })
  })

  it('Jobs share the workers, at most four at a time, and all end', async () => {
    const { id: anna } = await one.user()
    const jobs = await Promise.all(Array.from({ length: 12 }, () => one.job(anna, { steps: 5, stepMs: 100 })))
    const ends = await Promise.all(jobs.map(({ id }) => one.over(anna, id)))
    expect(ends.every(({ status }) => status === 'completed')).toBe(true)
    expect((await one.seen()).most.analyze).toBe(4)
  })
})

const project = (n: number): LiveEvent => ({ event: 'project', data: { id: String(n), change: 'updated' } })
const numbers = (heard: Heard[]) => heard.map(({ data }) => Number((data as { id: string }).id))

describe('the event stream', () => {
  it('The event stream sends a job from queued to completed to every tab of its owner, and to no other user (API-10)', async () => {
    const { id: anna } = await one.user()
    const { id: ben } = await one.user()
    const [first, second, other] = [await one.listen(anna), await one.listen(anna), await one.listen(ben)]
    expect(first.response.headers.get('content-type')).toContain('text/event-stream')
    const started = performance.now()
    const job = await one.job(anna, { steps: 10, stepMs: 300 })
    await one.over(anna, job.id)
    const isDone = (heard: Heard[]) => heard.some(({ data }) => (data as Job | null)?.status === 'completed')
    await until(() => isDone(first.heard) && isDone(second.heard), 'both tabs to hear the end')
    expect(first.events().map(({ data }) => data)).toEqual(second.events().map(({ data }) => data))
    const states = first.events().map(({ data }) => data as Job)
    expect(states[0]).toMatchObject({ id: job.id, status: 'queued' })
    expect(states.at(-1)).toMatchObject({ status: 'completed', progress: 100, result: { attempt: 1 } })
    const between = states.filter(({ status, progress }) => status === 'running' && progress > 0)
    // The job runs for a second or longer, and reports at most four times a second.
    expect(between.length).toBeGreaterThanOrEqual(2)
    expect(between.length).toBeLessThanOrEqual(4 * ((performance.now() - started) / 1000) + 3)
    expect(other.events()).toEqual([])
    await Promise.all([first.stop(), second.stop(), other.stop()])
  })

  it('The event stream resumes after every single event without a gap or a repetition (API-11)', async () => {
    const { id: anna } = await one.user()
    const whole = await one.listen(anna)
    await one.json('/test/event', anna, { events: Array.from({ length: 5 }, (_, n) => project(n)) })
    for (let n = 5; n < 8; n++) await one.json('/test/event', anna, { events: [project(n)] })
    await until(() => whole.events().length === 8, 'eight events')
    expect(numbers(whole.events())).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    for (const [index, { id }] of whole.events().entries()) {
      const resumed = await one.listen(anna, id)
      const rest = [0, 1, 2, 3, 4, 5, 6, 7].slice(index + 1)
      await until(
        () => resumed.events().length >= rest.length,
        `the events after number ${index}, before the stream looks by itself`,
        8_000,
      )
      // A repetition would come before this event.
      await one.json('/test/event', anna, { events: [project(100 + index)] })
      await until(() => numbers(resumed.events()).includes(100 + index), 'the last event')
      const later = Array.from({ length: index + 1 }, (_, n) => 100 + n)
      expect(numbers(resumed.events())).toEqual([...rest, ...later])
      await resumed.stop()
    }
    await whole.stop()
  })

  it('A new event stream begins with the events of the last past_ms milliseconds, if the request has this parameter', async () => {
    const { id: anna } = await one.user()
    await one.json('/test/event', anna, { events: [project(1), project(2)] })
    const [now, earlier] = [await one.listen(anna), await one.listen(anna, undefined, { past_ms: 60_000 })]
    await one.json('/test/event', anna, { events: [project(3)] })
    for (const { events } of [now, earlier]) await until(() => numbers(events()).includes(3), 'the last event')
    expect([numbers(now.events()), numbers(earlier.events())]).toEqual([[3], [1, 2, 3]])
    await Promise.all([now.stop(), earlier.stop()])
  })

  it('The event stream loses no event when transactions end in another order than their events were written', async () => {
    const { id: anna } = await one.user()
    let listener = await one.listen(anna)
    const all: number[] = []
    const slow = [1, 2, 3].map((n) => one.json('/test/event', anna, { events: [project(n)], holdMs: 400 * n }))
    const quick = (async () => {
      for (let n = 10; n < 40; n++) {
        await one.json('/test/event', anna, { events: [project(n), project(n + 100)], holdMs: n % 3 })
        // The connection breaks several times.
        if (n % 4 === 0) {
          await listener.stop()
          all.push(...numbers(listener.events()))
          listener = await one.listen(anna, listener.heard.at(-1)!.id)
        }
      }
    })()
    await Promise.all([...slow, quick])
    await until(() => all.length + listener.events().length >= 63, 'all events')
    // A repetition would come before this event.
    await one.json('/test/event', anna, { events: [project(1000)] })
    await until(() => numbers(listener.events()).includes(1000), 'the last event')
    await listener.stop()
    all.push(...numbers(listener.events()))
    const expected = [
      1,
      2,
      3,
      ...Array.from({ length: 30 }, (_, n) => n + 10),
      ...Array.from({ length: 30 }, (_, n) => n + 110),
      1000,
    ]
    expect(all.toSorted((a, b) => a - b)).toEqual(expected)
  })

  it('The event stream replays more than one batch', async () => {
    const { id: anna } = await one.user()
    const start = await one.listen(anna)
    await start.stop()
    const many = Array.from({ length: 650 }, (_, n) => n)
    await one.json('/test/event', anna, { events: many.map(project) })
    const replay = await one.listen(anna, start.heard[0]!.id)
    await until(() => replay.events().length >= 650, 'the replay')
    expect(numbers(replay.events())).toEqual(many)
    const middle = await one.listen(anna, replay.events()[333]!.id)
    await until(() => middle.events().length >= 316, 'the rest')
    expect(numbers(middle.events())).toEqual(many.slice(334))
    await Promise.all([replay.stop(), middle.stop()])
  })

  it.runIf(IS_LONG_RUN)(
    'The event stream sends only new events after an invalid id, and keeps the connection alive (API-11)',
    async () => {
      const { id: anna } = await one.user()
      await one.json('/test/event', anna, { events: [project(1)] })
      const listener = await one.listen(anna, "1'; drop table events --")
      const odd = await one.listen(anna, '9:3:5')
      const before = listener.heard.length
      await until(() => listener.heard.length > before + 1, 'a comment that keeps the connection alive', 25_000)
      await one.json('/test/event', anna, { events: [project(2)] })
      await until(() => listener.events().length === 1 && odd.events().length === 1, 'the next event')
      expect(numbers(listener.events())).toEqual([2])
      await Promise.all([listener.stop(), odd.stop()])
      expect((await one.call(api.events())).status).toBe(401)
    },
  )
})

describe('when the process ends', () => {
  it('A SIGTERM returns running jobs to the queue, which complete after the restart, and ends the streams', async () => {
    const { id: anna } = await one.user()
    const job = await one.job(anna, { steps: 60, stepMs: 100 })
    await until(async () => (await one.getJob(anna, job.id)).status === 'running', 'the job to run')
    const listener = await one.listen(anna)
    const asked = Date.now()
    expect(await one.end('SIGTERM')).toBe(0)
    expect(Date.now() - asked).toBeLessThan(10_000)
    await listener.ended
    await one.start()
    const resumed = await one.listen(anna, listener.heard.at(-1)!.id)
    expect(await one.over(anna, job.id)).toMatchObject({ status: 'completed' })
    await until(() => resumed.events().some(({ data }) => (data as Job).status === 'completed'), 'the end to be heard')
    await resumed.stop()
  })

  it.runIf(IS_LONG_RUN)('A job completes after two kills in the middle of it', async () => {
    const { id: anna, document } = await one.user(true)
    const job = await one.job(anna, { killUpTo: 2, steps: 2 }, { document })
    for (let time = 0; time < 2; time++) {
      await until(() => one.isGone(), 'the process to die')
      await one.start()
    }
    expect(await one.over(anna, job.id)).toMatchObject({ status: 'completed' })
  })

  it.runIf(IS_LONG_RUN)('A cancellation that a kill interrupts is completed after the restart', async () => {
    const { id: anna, document } = await one.user(true)
    const job = await one.job(anna, { steps: 1000, stepMs: 50, killAtCancel: true }, { document })
    await until(async () => (await one.getJob(anna, job.id)).status === 'running', 'the job to run')
    await one.call(api.jobCancel(job.id), anna, {}).catch(() => undefined)
    await until(() => one.isGone(), 'the process to die')
    await one.start()
    expect(await one.over(anna, job.id)).toMatchObject({ status: 'failed', error: 'Cancelled' })
    expect((await one.rows()).documents[document!]).toBe('pending')
    // The document is free for the next job.
    const next = await one.job(anna, { steps: 1 }, { document })
    expect(await one.over(anna, next.id)).toMatchObject({ status: 'completed' })
  })

  it.runIf(IS_LONG_RUN)('A job with more service failures than crashes reports the error of the service', async () => {
    const { id: anna } = await one.user()
    // After its restart, the process counts the failures from 0, so attempt 4 fails too.
    const job = await one.job(anna, { failUpTo: 2, killIn: 3 })
    await until(() => one.isGone(), 'the process to die')
    await one.start()
    expect(await one.over(anna, job.id)).toMatchObject({
      status: 'failed',
      error: 'The model did not answer.',
      error_code: 'outside_failed',
    })
  })

  it.runIf(IS_LONG_RUN)(
    'A job that kills the process three times fails with its document, and the process survives',
    async () => {
      const { id: anna, document } = await one.user(true)
      const job = await one.job(anna, { killUpTo: 99 }, { document })
      for (let time = 0; time < 3; time++) {
        await until(() => one.isGone(), 'the process to die')
        await one.start()
      }
      expect((await one.over(anna, job.id)).error).toContain('stopped unexpectedly')
      expect((await one.rows()).documents[document!]).toBe('error')
      expect(one.isGone()).toBe(false)
    },
  )
})

describe.skipIf(!SERVER)('several processes (needs a PostgreSQL server)', () => {
  it('A job is cancelled in one process while it runs in the other, and events reach both', async () => {
    const two = await startProcess(env)
    const { id: anna } = await one.user()
    const jobs = await Promise.all(Array.from({ length: 8 }, () => one.job(anna, { steps: 600, stepMs: 100 })))
    const heard = await two.listen(anna)
    await until(
      async () =>
        (await Promise.all(jobs.map(({ id }) => one.getJob(anna, id)))).every(({ status }) => status === 'running'),
      'all to run',
    )
    for (const { id } of jobs) await one.json(api.jobCancel(id), anna, {})
    await until(() => heard.events().filter(({ data }) => (data as Job).status === 'failed').length === 8, 'all to end')
    const next = await two.job(anna, { steps: 1 })
    expect(await one.over(anna, next.id)).toMatchObject({ status: 'completed' })
    await heard.stop()
    await two.end('SIGTERM')
  })

  it.runIf(IS_LONG_RUN)('A job of a killed process is completed by another process within about a minute', async () => {
    const two = await startProcess(env)
    await one.end('SIGTERM')
    const { id: anna } = await two.user()
    const job = await two.job(anna, { steps: 20, stepMs: 100 })
    await until(async () => (await two.getJob(anna, job.id)).status === 'running', 'the job to run')
    await two.end('SIGKILL')
    await one.start()
    expect(await one.over(anna, job.id, 90_000)).toMatchObject({ status: 'completed' })
  })

  it('A process listens again when its connection is cut', async () => {
    const { id: anna } = await one.user()
    const listener = await one.listen(anna)
    await one.json('/test/drop-connections', anna, {})
    await one.json('/test/event', anna, { events: [project(1)] })
    await until(() => listener.events().length === 1, 'the event', 20_000)
    expect(numbers(listener.events())).toEqual([1])
    await listener.stop()
  })
})
