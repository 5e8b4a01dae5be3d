import { AppError } from '#server/lib/errors.ts'
import { createWorkerPool, type TaskOptions, WorkerFailure, type WorkerPool } from '#server/lib/worker-pool.ts'
import type { TextRequest, TextTasks } from './tasks.ts'

/** One worker for long texts and one that stays free for everything else. */
const WORKERS = 2
const LONG_AT_ONCE = 1
const MEMORY_MB = 768
const IDLE_MS = 60_000
/** Tasks that may wait: of one person, and of all. A waiting task holds no text. */
const PERSON_LIMIT = 60
const QUEUE_LIMIT = 2_000
/** The largest text takes a few seconds; more is a text that was made to. */
const TIMEOUT_MS = 60_000
/** A text of so many characters is read in well under a second. */
const BRIEF_CHARACTERS = 1_000_000

let opened: WorkerPool | undefined

const pool = () =>
  (opened ??= createWorkerPool({
    script: new URL('./texts.worker.ts', import.meta.url),
    size: WORKERS,
    longAtOnce: LONG_AT_ONCE,
    memoryMb: MEMORY_MB,
    queueLimit: QUEUE_LIMIT,
    personLimit: PERSON_LIMIT,
    idleMs: IDLE_MS,
    errors: {
      slow: () => new AppError('refused', 'Reading this text takes too long; it was stopped.'),
      memory: (cause) => new AppError('refused', 'Reading this text takes too much memory; it was stopped.', { cause }),
      lost: (cause) => new AppError('internal', 'Reading this text failed.', { cause }),
      full: () =>
        new AppError('too_many', 'Too many of your texts are being read already. Please try again in a moment.', {
          retryAfter: 10,
        }),
    },
  }))

/** Whose task it is, and how large its input is in characters or bytes. */
export type TextTaskOptions = Pick<TaskOptions, 'person' | 'signal' | 'onProgress' | 'transfer'> & { size: number }

/**
 * Runs a task on a text in a worker thread, when it is the person's turn. `input` is called at that moment: waiting tasks
 * hold no text. Throws the errors above, and those that the worker names.
 */
export async function runOnText<K extends keyof TextTasks>(
  task: K,
  { size, ...options }: TextTaskOptions,
  input: () => TextTasks[K]['input'] | Promise<TextTasks[K]['input']>,
): Promise<TextTasks[K]['output']> {
  const make = async () => ({ task, ...(await input()) }) as TextRequest
  try {
    const isBrief = size <= BRIEF_CHARACTERS
    const result = await pool().run(make, { ...options, isBrief, timeoutMs: TIMEOUT_MS })
    return result as TextTasks[K]['output']
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error
    if (error.code === 'refused') throw new AppError('refused', error.message)
    if (error.code === 'malformed') throw new AppError('malformed', 'The request is not valid JSON.', { cause: error })
    throw new AppError('internal', 'Reading this text failed.', { cause: error })
  }
}

/** Ends the workers; the next text gets new ones. */
export async function stopTexts(): Promise<void> {
  await opened?.stop()
  opened = undefined
}
