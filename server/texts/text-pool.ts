import { AppError } from '#server/lib/errors.ts'
import type { TaskOptions } from '#server/workers/pool-options.ts'
import { poolErrors } from '#server/workers/pool-errors.ts'
import { createWorkerPool, WorkerFailure } from '#server/workers/worker-pool.ts'
import type { KeyedText, LazyText, TextRequest, TextTasks } from './tasks.ts'

/**
 * Number of worker threads. One can run tasks of any length; the other runs only short tasks, which therefore never wait for a
 * long task.
 */
const WORKERS = 2
const LONG_AT_ONCE = 1
const MEMORY_MB = 768
const IDLE_MS = 60_000
/**
 * Maximum number of waiting tasks of one user (PERSON_LIMIT) and of all users (QUEUE_LIMIT). A waiting task has no large text
 * in memory.
 */
const PERSON_LIMIT = 60
const QUEUE_LIMIT = 2_000
/** Time limit of a task. The largest legitimate text takes a few seconds; beyond this limit assume a hostile text. */
const TIMEOUT_MS = 60_000
/** A task on a text of at most this many characters is brief: it takes well under a second. */
const BRIEF_CHARACTERS = 1_000_000

const pool = createWorkerPool({
  script: new URL('./texts.worker.ts', import.meta.url),
  size: WORKERS,
  longAtOnce: LONG_AT_ONCE,
  memoryMb: MEMORY_MB,
  queueLimit: QUEUE_LIMIT,
  personLimit: PERSON_LIMIT,
  idleMs: IDLE_MS,
  errors: poolErrors('Reading this text', 'Too many of your texts are being read.'),
})

/** The options of a task. `person` is the user for whom it runs; `size` is the size of its input in characters or bytes. */
export type TextTaskOptions = Pick<TaskOptions, 'person' | 'signal' | 'onProgress' | 'transfer'> & { size: number }

/** The key of the text that each worker has cached, by worker: the last text that it received with a key. */
const storedIn = new WeakMap<object, string>()

/**
 * Returns the text to send to a worker, with its key. `text` is undefined if the worker has cached the text of this
 * key, so that several questions about one document read its text from the database once.
 */
export async function textFor(worker: object, { key, load }: LazyText): Promise<KeyedText> {
  if (key === undefined) return { text: await load() }
  if (storedIn.get(worker) === key) return { key }
  const text = await load()
  storedIn.set(worker, key)
  return { key, text }
}

/**
 * Runs a task on a text in a worker thread. All tasks share one queue, which serves users in turn. `input` is called with the
 * worker when the task starts, so that waiting tasks have no text in memory. Throws an AppError: 'refused' (too much time or
 * memory, or a limit of the task), 'malformed' (invalid JSON), 'internal', or 'too_many' when the queue is full.
 */
export async function runOnText<K extends keyof TextTasks>(
  task: K,
  { size, ...options }: TextTaskOptions,
  input: (worker: object) => TextTasks[K]['input'] | Promise<TextTasks[K]['input']>,
): Promise<TextTasks[K]['output']> {
  const make = async (worker: object) => ({ task, ...(await input(worker)) }) as TextRequest
  try {
    const isBrief = size <= BRIEF_CHARACTERS
    const result = await pool.run(make, { ...options, isBrief, timeoutMs: TIMEOUT_MS })
    return result as TextTasks[K]['output']
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error
    if (error.code === 'refused') throw new AppError('refused', error.message)
    if (error.code === 'malformed') throw new AppError('malformed', 'The request is not valid JSON.', { cause: error })
    throw new AppError('internal', 'The server could not read this text. Try again.', { cause: error })
  }
}
