import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '#server/lib/errors.ts'
import type { PoolOptions } from './pool-options.ts'
import { createWorkerPool, type WorkerPool } from './worker-pool.ts'

/** The script of a worker that does what each task names, such as an endless loop or an exit. */
const SCRIPT = `
import { parentPort, threadId } from 'node:worker_threads'
const hoard = []
parentPort.on('message', async (task) => {
  if (task === 'loop') for (;;) {}
  if (task === 'exit') process.exit(3)
  if (task === 'end') process.exit()
  if (task === 'native') {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
    new BroadcastChannel('native').postMessage('returned')
  }
  if (task === 'throw') throw new Error('secret details')
  if (task === 'heap') for (;;) hoard.push(new Array(1000).fill(Math.random()).map(String))
  if (task === 'buffers') for (;;) { hoard.push(Buffer.alloc(8e6, 1)); await new Promise((r) => setTimeout(r, 5)) }
  if (task === 'sleep') await new Promise((r) => setTimeout(r, 200))
  if (task === 'wait') {
    await new Promise((r) => setTimeout(r, 1500))
    return parentPort.postMessage({ result: 'waited' })
  }
  if (task === 'fail') return parentPort.postMessage({ failure: { code: 'broken', message: 'why' } })
  if (task === 'steps') for (const n of [1, 2, 3]) parentPort.postMessage({ progress: n })
  if (task === 'env') return parentPort.postMessage({ result: Object.keys(process.env) })
  parentPort.postMessage({ result: threadId })
})`

const errors = {
  slow: () => new AppError('refused', 'too slow'),
  memory: () => new AppError('refused', 'too much memory'),
  lost: () => new AppError('refused', 'lost'),
  full: () => new AppError('too_many', 'full', { retryAfter: 10 }),
}

let pool: WorkerPool
const open = (options: Partial<PoolOptions> = {}) => {
  const script = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`)
  pool = createWorkerPool({ script, size: 1, memoryMb: 100, queueLimit: 10, idleMs: 10_000, errors, ...options })
  return pool
}
afterEach(() => pool.stop())

const timeoutMs = 20_000

describe('worker pool', () => {
  it('A worker pool returns the result, and the progress before it', async () => {
    const steps: unknown[] = []
    await open().run('steps', { timeoutMs, onProgress: (step) => steps.push(step) })
    expect(steps).toEqual([1, 2, 3])
  })

  it('A worker pool reuses workers, and runs up to its size at once', async () => {
    open({ size: 2 })
    const workers = await Promise.all(Array.from({ length: 5 }, () => pool.run('sleep', { timeoutMs })))
    expect(new Set(workers).size).toBe(2)
  })

  it.each([
    ['loop', 300, 'too slow'],
    ['heap', timeoutMs, 'too much memory'],
    ['buffers', timeoutMs, 'too much memory'],
    ['exit', timeoutMs, 'lost'],
    ['throw', timeoutMs, 'lost'],
  ])('A worker pool replaces the worker of a task that fails (%s)', async (task, limit, message) => {
    const first = await open().run('ok', { timeoutMs })
    const failing = pool.run(task, { timeoutMs: limit })
    const after = pool.run('ok', { timeoutMs })
    await expect(failing).rejects.toMatchObject({ code: 'refused', message })
    expect(await after).not.toBe(first)
  })

  it('A worker pool that counts processor time ends a task that uses it, and not one that waits for it', async () => {
    open({ countsProcessorTime: true })
    await expect(pool.run('loop', { timeoutMs: 300 })).rejects.toMatchObject({ message: 'too slow' })
    expect(await pool.run('wait', { timeoutMs: 700 })).toBe('waited')
  })

  it('A worker pool rejects with a failure that the worker reports, and reuses the worker', async () => {
    const first = await open().run('ok', { timeoutMs })
    await expect(pool.run('fail', { timeoutMs })).rejects.toMatchObject({ name: 'WorkerFailure', code: 'broken' })
    expect(await pool.run('ok', { timeoutMs })).toBe(first)
  })

  it('A worker pool refuses tasks beyond the queue limit', async () => {
    open({ queueLimit: 1 })
    const running = [pool.run('sleep', { timeoutMs }), pool.run('sleep', { timeoutMs })]
    await expect(pool.run('sleep', { timeoutMs })).rejects.toMatchObject({ code: 'too_many', retryAfter: 10 })
    expect(await Promise.all(running)).toHaveLength(2)
  })

  it('A worker pool cancels a running task, a waiting one, and one that has not begun', async () => {
    const control = new AbortController()
    const running = open().run('loop', { timeoutMs, signal: control.signal })
    const waiting = pool.run('ok', { timeoutMs, signal: control.signal })
    const other = pool.run('ok', { timeoutMs })
    setTimeout(() => control.abort(new Error('enough')), 100)
    await expect(running).rejects.toThrow('enough')
    await expect(waiting).rejects.toThrow('enough')
    expect(await other).toEqual(expect.any(Number))
    await expect(pool.run('ok', { timeoutMs, signal: control.signal })).rejects.toThrow('enough')
  })

  it('A worker pool ends an idle worker', async () => {
    const first = await open({ idleMs: 50 }).run('ok', { timeoutMs })
    await new Promise((resume) => setTimeout(resume, 300))
    expect(await pool.run('ok', { timeoutMs })).not.toBe(first)
  })

  it('A worker pool ends the idle workers except one, when several are idle', async () => {
    open({ size: 2, spareIdleMs: 50 })
    const both = () => Promise.all([pool.run('sleep', { timeoutMs }), pool.run('sleep', { timeoutMs })])
    const before = new Set(await both())
    const reused = async () => (await both()).filter((worker) => before.has(worker)).length
    await expect.poll(reused, { interval: 300, timeout: timeoutMs }).toBe(1)
  })

  it('A worker pool serves persons in turn: a later person waits for at most one task of another', async () => {
    open()
    const ended: string[] = []
    const ask = (person: string) => pool.run('sleep', { timeoutMs, person }).then(() => ended.push(person))
    const all = [...Array.from({ length: 5 }, () => ask('ada')), ask('eve'), ask('bob')]
    await Promise.all(all)
    expect(ended.slice(0, 3)).toEqual(['ada', 'eve', 'bob'])
  })

  it('A worker pool refuses tasks beyond the limit of one person, and runs those of others', async () => {
    open({ personLimit: 1 })
    const ask = (person: string) => pool.run('sleep', { timeoutMs, person })
    const running = [ask('ada'), ask('ada')]
    await expect(ask('ada')).rejects.toMatchObject({ code: 'too_many' })
    expect(await Promise.all([...running, ask('eve')])).toHaveLength(3)
  })

  it('A worker pool reserves a worker for brief tasks', async () => {
    const control = new AbortController()
    open({ size: 2, longAtOnce: 1 })
    const long = [1, 2].map(() => pool.run('loop', { timeoutMs, signal: control.signal }))
    const ends = Promise.allSettled(long)
    expect(await pool.run('ok', { timeoutMs, isBrief: true })).toEqual(expect.any(Number))
    control.abort(new Error('enough'))
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('A worker pool lets the worker of an aborted brief task finish it', async () => {
    const control = new AbortController()
    const first = await open().run('ok', { timeoutMs })
    const aborted = pool.run('sleep', { timeoutMs, isBrief: true, signal: control.signal })
    control.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    expect(await pool.run('ok', { timeoutMs })).toBe(first)
  })

  it('A worker with native code is not ended within a call, because that would end the process', async () => {
    const channel = new BroadcastChannel('native')
    const returned = new Promise((resolve) => (channel.onmessage = resolve))
    open({ graceMs: 60_000 })
    await expect(pool.run('native', { timeoutMs: 100 })).rejects.toThrow('too slow')
    expect(await pool.run('ok', { timeoutMs })).toEqual(expect.any(Number))
    await returned
    channel.close()
  })

  it('A worker pool passes no settings of the server to a worker', async () => {
    expect(await open().run('env', { timeoutMs })).toEqual([])
  })
})
