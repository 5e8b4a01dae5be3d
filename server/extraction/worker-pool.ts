import { Worker } from 'node:worker_threads'
import { AppError } from '#server/lib/errors.ts'

/** What a worker sends: any number of progress messages, then one result or failure. */
export type WorkerMessage = { progress: unknown } | { result: unknown } | { failure: { code: string; message: string } }

export interface PoolOptions {
  script: URL
  /** Workers at most; each is started when there is work for it. */
  size: number
  /** Heap and buffers that one worker may hold; beyond it the worker is ended. */
  memoryMb: number
  /** Tasks that may wait; one more is refused. */
  queueLimit: number
  /** A worker without work is ended after this long, so that an idle server is small. */
  idleMs: number
}

export interface TaskOptions {
  /** Time from the start of the work (not of waiting) after which the worker is ended. */
  timeoutMs: number
  signal?: AbortSignal
  onProgress?: (progress: unknown) => void
}

export interface WorkerPool {
  size: number
  run(task: unknown, options: TaskOptions): Promise<unknown>
  /** Ends all workers; tasks in hand and waiting fail. */
  stop(): Promise<void>
}

interface Task extends TaskOptions {
  input: unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Slot {
  worker: Worker
  task: Task | null
  idleTimer: NodeJS.Timeout | undefined
}

/** How often the memory of busy workers is looked at. V8's own limit sees the heap only, not buffers. */
const WATCH_MS = 250
const MB = 1024 * 1024

/**
 * A pool of worker threads for files that nobody vouches for. Each task has a worker to itself with a memory limit and
 * a time limit; a worker that exceeds one, or whose task is cancelled, is ended and replaced when there is work. A
 * hostile file thus costs one worker, never the process.
 */
export function createWorkerPool(options: PoolOptions): WorkerPool {
  const slots = new Set<Slot>()
  const waiting: Task[] = []

  function start(): Slot {
    const worker = new Worker(options.script, {
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb, maxYoungGenerationSizeMb: 64, stackSizeMb: 8 },
      // Nothing of the server's settings (keys, addresses) is needed to read a file.
      env: {},
    })
    const slot: Slot = { worker, task: null, idleTimer: undefined }
    slots.add(slot)
    worker.on('message', (message: WorkerMessage) => receive(slot, message))
    worker.on('error', (error) => lose(slot, workerError(error)))
    worker.on('exit', () => lose(slot, unreadable('Reading this PDF failed.')))
    return slot
  }

  function receive(slot: Slot, message: WorkerMessage) {
    const { task } = slot
    if (!task) return
    if ('progress' in message) {
      task.onProgress?.(message.progress)
      return
    }
    slot.task = null
    if ('result' in message) task.resolve(message.result)
    else task.reject(new WorkerFailure(message.failure.code, message.failure.message))
    rest(slot)
  }

  /** Takes the next task, or lets the worker wait for one without keeping the process alive. */
  function rest(slot: Slot) {
    if (!slots.has(slot)) return
    const next = waiting.shift()
    if (next) return give(slot, next)
    slot.worker.unref()
    slot.idleTimer = setTimeout(() => void end(slot), options.idleMs).unref()
  }

  function give(slot: Slot, task: Task) {
    clearTimeout(slot.idleTimer)
    slot.task = task
    slot.worker.ref()
    const stop = (error: unknown) => {
      if (slot.task !== task) return
      lose(slot, error)
    }
    const timer = setTimeout(() => stop(unreadable('Reading this PDF takes too long; it was stopped.')), task.timeoutMs)
    const watch = setInterval(() => void watchMemory(slot.worker, options.memoryMb, stop), WATCH_MS)
    const { signal } = task
    const onAbort = () => stop(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const settle = () => {
      clearTimeout(timer)
      clearInterval(watch)
      signal?.removeEventListener('abort', onAbort)
    }
    const { resolve, reject } = task
    task.resolve = (result) => (settle(), resolve(result))
    task.reject = (error) => (settle(), reject(error))
    slot.worker.postMessage(task.input)
  }

  /** Ends a worker and fails its task; whoever waits gets a new worker. */
  function lose(slot: Slot, error: unknown) {
    if (!slots.delete(slot)) return
    const { task } = slot
    slot.task = null
    void end(slot)
    task?.reject(error)
    const next = waiting.shift()
    if (next) give(start(), next)
  }

  function end(slot: Slot): Promise<number> {
    slots.delete(slot)
    clearTimeout(slot.idleTimer)
    return slot.worker.terminate()
  }

  return {
    size: options.size,
    run(input, taskOptions) {
      return new Promise((resolve, reject) => {
        const { signal } = taskOptions
        signal?.throwIfAborted()
        const task: Task = { ...taskOptions, input, resolve, reject }
        const free = [...slots].find((slot) => slot.task === null)
        if (free) return give(free, task)
        if (slots.size < options.size) return give(start(), task)
        if (waiting.length >= options.queueLimit)
          throw new AppError('too_many', 'Too many PDFs are being read just now. Try again in a moment.', {
            retryAfter: 10,
          })
        const onAbort = () => {
          const place = waiting.indexOf(task)
          if (place < 0) return
          waiting.splice(place, 1)
          task.reject(signal?.reason)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        waiting.push(task)
      })
    },
    async stop() {
      for (const task of waiting.splice(0)) task.reject(unreadable('The server is stopping.'))
      const running = [...slots]
      for (const slot of running) slot.task?.reject(unreadable('The server is stopping.'))
      await Promise.all(running.map(end))
    },
  }
}

/** A failure that the worker's own code named; `code` says which. */
export class WorkerFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'WorkerFailure'
    this.code = code
  }
}

const unreadable = (message: string) => new AppError('refused', message)

const TOO_MUCH_MEMORY = 'Reading this PDF takes too much memory; it was stopped.'

function workerError(error: unknown): AppError {
  const code = (error as { code?: string }).code
  return new AppError('refused', code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_MUCH_MEMORY : 'Reading this PDF failed.', {
    cause: error,
  })
}

async function watchMemory(worker: Worker, memoryMb: number, stop: (error: unknown) => void) {
  // Rejects when the worker has ended meanwhile: then there is nothing left to watch.
  const heap = await worker.getHeapStatistics().catch(() => null)
  if (heap && heap.used_heap_size + heap.external_memory > memoryMb * MB) stop(unreadable(TOO_MUCH_MEMORY))
}
