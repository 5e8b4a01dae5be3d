import { AppError } from '#server/lib/errors.ts'
import { currentRequest } from '#server/lib/request-context.ts'
import { createWorkerPool, WorkerFailure, type WorkerPool } from '#server/workers/worker-pool.ts'
import type { FeedItem } from './parse-feed.ts'
import type { NamedFeed } from './parse-opml.ts'
import type { ParseTask } from './parse.worker.ts'

/** One worker for background refreshes and one that is reserved for waiting users. */
const WORKERS = 2
const BACKGROUND_AT_ONCE = 1
const MEMORY_MB = 192
const IDLE_MS = 30_000
/** A feed of 5 MB takes less than a second, so a longer parse means hostile input. */
const TIMEOUT_MS = 10_000
/** Waiting tasks, per user and in total. An import reads six feeds at a time. */
const PERSON_LIMIT = 20
const QUEUE_LIMIT = 2_000

const tooComplex = (cause?: unknown) =>
  new AppError('outside_failed', 'The feed is too large or too complex to read.', { cause })

let opened: WorkerPool | undefined

const pool = () =>
  (opened ??= createWorkerPool({
    script: new URL('./parse.worker.ts', import.meta.url),
    size: WORKERS,
    longAtOnce: BACKGROUND_AT_ONCE,
    memoryMb: MEMORY_MB,
    queueLimit: QUEUE_LIMIT,
    personLimit: PERSON_LIMIT,
    idleMs: IDLE_MS,
    errors: {
      slow: tooComplex,
      memory: tooComplex,
      lost: tooComplex,
      full: () =>
        new AppError('too_many', 'Too many of your requests are waiting. Please try again in a moment.', {
          retryAfter: 30,
        }),
    },
  }))

/** Parses in a worker, round-robin per user. Tasks of the background use one worker at most. */
function parse(task: ParseTask): Promise<unknown> {
  const person = currentRequest()?.user
  return pool().run(task, { person, timeoutMs: TIMEOUT_MS, isBrief: person !== undefined })
}

/**
 * Parses a feed in a worker thread with limits on time and memory. A hostile feed ends the worker, which is replaced,
 * and blocks no request. Throws 'outside_failed'.
 */
export async function parseBytes(feed: Omit<ParseTask & { kind: 'feed' }, 'kind'>): Promise<FeedItem[]> {
  try {
    return (await parse({ kind: 'feed', ...feed })) as FeedItem[]
  } catch (error) {
    throw error instanceof WorkerFailure ? new AppError('outside_failed', error.message) : error
  }
}

/** Parses an OPML file in the same workers. Throws 'refused' when it cannot be read. */
export async function parseOpmlFile(text: string): Promise<NamedFeed[]> {
  try {
    return (await parse({ kind: 'opml', text })) as NamedFeed[]
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many') throw error
    throw new AppError('refused', 'This file is not a valid OPML file.', { cause: error })
  }
}

/** Ends the workers. The next task starts new ones. */
export async function stopParsing(): Promise<void> {
  await opened?.stop()
  opened = undefined
}
