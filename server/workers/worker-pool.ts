import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { AppError } from '#server/lib/errors.ts'
import { FairQueue } from './fair-queue.ts'
import type { PoolErrors, PoolOptions, TaskOptions } from './pool-options.ts'
import { limitMemory } from './limit-memory.ts'

/** A message from a worker about a task: any number of progress messages, then one result or failure. */
export type WorkerMessage = { progress: unknown } | { result: unknown } | { failure: { code: string; message: string } }

export interface WorkerPool {
  size: number
  /**
   * Runs a task in a worker. If `task` is a function, its result is sent once a worker is free, so that waiting tasks are
   * small. The argument identifies the worker, so that the function can omit data that this worker already has. Rejects with an
   * error of the options, a WorkerFailure, an error of the function, or the reason of `signal`.
   */
  run(task: unknown, options: TaskOptions): Promise<unknown>
  /** Ends all workers; running and waiting tasks fail. The next task starts a new worker. */
  stop(): Promise<void>
}

interface Task extends TaskOptions {
  input: unknown
  /** Called when the signal of the task is aborted while the task runs. */
  abort?: () => void
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Slot {
  worker: Worker
  task: Task | null
  idleTimer: NodeJS.Timeout | undefined
}

/** The message that requests a worker to exit as soon as no native code runs. */
export const END_MESSAGE = 'end'

/** Maximum elapsed time of a task whose limit is processor time, as a multiple of the limit. */
const WALL_FACTOR = 10

/** Size of V8's young generation in MB. With 64 MB, a worker used 10 to 20 MB more memory, but no less time. */
const YOUNG_MB = 24

/** Interval in ms at which the memory of busy workers is measured. V8's own limit applies to the heap only, not to buffers. */
const WATCH_MS = 250

/** The pools of this process. */
const pools: WorkerPool[] = []

/**
 * Creates a pool of worker threads for long work or hostile input. Starts a worker when a task needs it. Users are served in
 * turn (see FairQueue). A worker runs one task at a time, with limits of memory and time; it is ended if it exceeds a limit or
 * its task is aborted. Hostile input can thus end a worker, but never the process.
 */
export function createWorkerPool(options: PoolOptions): WorkerPool {
  const { errors, longAtOnce = options.size, personLimit = options.queueLimit, worthAnother = 1 } = options
  const { spareIdleMs = 2_000 } = options
  const slots = new Set<Slot>()
  const queue = new FairQueue<Task>()

  function start(): Slot {
    const worker = new Worker(options.script, {
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb, maxYoungGenerationSizeMb: YOUNG_MB, stackSizeMb: 8 },
      // No task needs the server's settings (keys, addresses).
      env: {},
    })
    const slot: Slot = { worker, task: null, idleTimer: undefined }
    slots.add(slot)
    worker.on('message', (message: WorkerMessage) => receive(slot, message))
    worker.on('error', (error) => lose(slot, workerError(error, errors)))
    worker.on('exit', () => lose(slot, errors.lost()))
    return slot
  }

  const countLong = () => [...slots].filter(({ task }) => task && !task.isBrief).length

  /** Assigns waiting tasks to workers until no waiting task may start or no worker is free. */
  function dispatch() {
    for (;;) {
      const mayBeLong = countLong() < longAtOnce
      const fits = (task: Task) => task.isBrief === true || mayBeLong
      const idle = [...slots].find(({ task }) => task === null)
      // Another worker helps when all run long tasks; brief tasks free their worker soon.
      const isWorth = slots.size === countLong() || queue.size >= worthAnother
      if (!idle && (slots.size >= options.size || !isWorth)) break
      const task = queue.take(fits)
      if (!task) break
      give(idle ?? start(), task)
    }
    if (queue.size === 0 && [...slots].every(({ task }) => task === null)) queue.forget()
  }

  function receive(slot: Slot, message: WorkerMessage) {
    const { task } = slot
    if (!task) return
    if ('progress' in message) return task.onProgress?.(message.progress)
    if ('result' in message) task.resolve(message.result)
    else task.reject(new WorkerFailure(message.failure.code, message.failure.message))
    free(slot)
  }

  function free(slot: Slot) {
    slot.task = null
    dispatch()
    if (slot.task === null) rest(slot)
  }

  /** Ends an idle worker after its idle time. Until then, it does not prevent the exit of the process. */
  function rest(slot: Slot) {
    if (!slots.has(slot)) return
    slot.worker.unref()
    const isSpare = [...slots].some((other) => other !== slot && other.task === null)
    const idleMs = isSpare ? Math.min(spareIdleMs, options.idleMs) : options.idleMs
    slot.idleTimer = setTimeout(() => void end(slot), idleMs).unref()
  }

  function give(slot: Slot, task: Task) {
    clearTimeout(slot.idleTimer)
    slot.task = task
    slot.worker.ref()
    const stop = (error: unknown) => {
      if (slot.task === task) lose(slot, error)
    }
    const stopTimer = limitTime(task.timeoutMs, () => stop(errors.slow()))
    const watch = setInterval(
      () => void limitMemory(slot.worker, options.memoryMb, () => stop(errors.memory())),
      WATCH_MS,
    )
    const settle = () => {
      stopTimer()
      clearInterval(watch)
    }
    const { resolve, reject } = task
    task.resolve = (result) => (settle(), resolve(result))
    task.reject = (error) => (settle(), reject(error))
    // The timer of an aborted brief task continues: its worker may hang.
    task.abort = () => (task.isBrief ? reject(task.signal?.reason) : stop(task.signal?.reason))
    void send(slot, task)
  }

  /** Calls `onOver` when a task has exceeded its time limit. Returns a function that cancels this. */
  function limitTime(limitMs: number, onOver: () => void): () => void {
    if (!options.countsProcessorTime) {
      const timer = setTimeout(onOver, limitMs)
      return () => clearTimeout(timer)
    }
    const startedAt = performance.now()
    let usedMs = 0
    let before = process.cpuUsage()
    const checkTime = () => {
      const { user, system } = process.cpuUsage(before)
      before = process.cpuUsage()
      const running = [...slots].filter(({ task }) => task !== null).length
      usedMs += (user + system) / 1000 / Math.max(1, running)
      const elapsedMs = performance.now() - startedAt
      if (elapsedMs >= limitMs && (usedMs >= limitMs || elapsedMs >= WALL_FACTOR * limitMs)) onOver()
    }
    const timer = setInterval(checkTime, Math.min(WATCH_MS, limitMs))
    return () => clearInterval(timer)
  }

  async function send(slot: Slot, task: Task) {
    try {
      const input: unknown =
        typeof task.input === 'function' ? await (task.input as (worker: object) => unknown)(slot.worker) : task.input
      if (slot.task === task) slot.worker.postMessage(input, task.transfer ?? [])
    } catch (error) {
      task.reject(error)
      if (slot.task === task) free(slot)
    }
  }

  /** Ends a worker and rejects its task with `error`. If tasks are waiting, a new worker is started. */
  function lose(slot: Slot, error: unknown) {
    if (!slots.delete(slot)) return
    const { task } = slot
    slot.task = null
    void end(slot)
    task?.reject(error)
    dispatch()
  }

  async function end(slot: Slot): Promise<void> {
    slots.delete(slot)
    clearTimeout(slot.idleTimer)
    if (options.graceMs !== undefined) {
      const exit = new Promise((resolve) => slot.worker.once('exit', resolve))
      // An idle worker would not keep the process alive until it has exited.
      slot.worker.ref()
      slot.worker.postMessage(END_MESSAGE)
      await Promise.race([exit, pause(options.graceMs, undefined, { ref: false })])
    }
    await slot.worker.terminate()
  }

  const pool: WorkerPool = {
    size: options.size,
    run(input, taskOptions) {
      const { signal, person } = taskOptions
      const owner = person ?? ''
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        const onAbort = () => (queue.remove(owner, task) ? task.reject(signal?.reason) : task.abort?.())
        const settle = () => signal?.removeEventListener('abort', onAbort)
        const task: Task = {
          ...taskOptions,
          input,
          resolve: (result) => (settle(), resolve(result)),
          reject: (error) => (settle(), reject(error)),
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        queue.add(owner, task)
        dispatch()
        // Checked after the dispatch: a task that began at once did not wait.
        const isOver = queue.size > options.queueLimit || queue.countOf(owner) > personLimit
        if (isOver && queue.remove(owner, task)) task.reject(errors.full())
      })
    },
    async stop() {
      const stopped = () => errors.lost(new Error('The server is stopping.'))
      for (let task = queue.take(); task; task = queue.take()) task.reject(stopped())
      const running = [...slots]
      for (const slot of running) slot.task?.reject(stopped())
      await Promise.all(running.map(end))
    },
  }
  pools.push(pool)
  return pool
}

/** Ends the workers of all pools. Running and waiting tasks fail. Call it at the end of the process and of tests. */
export async function stopWorkerPools(): Promise<void> {
  await Promise.all(pools.map((pool) => pool.stop()))
}

/** An error that a worker reports for its task. `code` is the kind of the error. */
export class WorkerFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'WorkerFailure'
    this.code = code
  }
}

const workerError = (error: unknown, errors: PoolErrors): AppError =>
  (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? errors.memory(error) : errors.lost(error)
