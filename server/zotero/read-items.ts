import { AppError } from '#server/lib/errors.ts'
import { createWorkerPool, WorkerFailure } from '#server/workers/worker-pool.ts'
import type { ZoteroItem } from './item-of.ts'

/** Time limit for parsing a page. A page of 100 items takes some milliseconds, so a longer time means hostile input. */
const TIMEOUT_MS = 10_000
const MEMORY_MB = 256
const IDLE_MS = 30_000
const QUEUE_LIMIT = 100
const PERSON_LIMIT = 20

const notRead = (cause?: unknown) =>
  new AppError('outside_failed', 'The answer of Zotero is too large or too complex to read.', { cause })

const pool = createWorkerPool({
  script: new URL('./read-items.worker.ts', import.meta.url),
  size: 1,
  longAtOnce: 1,
  memoryMb: MEMORY_MB,
  queueLimit: QUEUE_LIMIT,
  personLimit: PERSON_LIMIT,
  idleMs: IDLE_MS,
  errors: {
    slow: notRead,
    memory: notRead,
    lost: notRead,
    full: () =>
      new AppError('too_many', 'Too many imports are waiting. Please try again in a moment.', { retryAfter: 30 }),
  },
})

/**
 * Parses a page of items in a worker thread, round-robin per user. Throws 'outside_failed' for a page that cannot be read, and
 * 'too_many' if the queue is full.
 */
export async function readItemsOf(text: string, person: string): Promise<ZoteroItem[]> {
  try {
    return (await pool.run(text, { person, timeoutMs: TIMEOUT_MS, isBrief: false })) as ZoteroItem[]
  } catch (error) {
    throw error instanceof WorkerFailure ? new AppError('outside_failed', error.message) : error
  }
}
