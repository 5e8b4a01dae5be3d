import { AppError } from '#server/lib/errors.ts'
import { currentRequest } from '#server/lib/request-context.ts'
import { createWorkerPool, WorkerFailure } from '#server/workers/worker-pool.ts'
import type { ArxivPaper } from '../arxiv/read-entries.ts'
import type { PageCitation } from '../web-page/read-tags.ts'
import type { FeedItem } from './parse-feed.ts'
import type { NamedFeed } from './parse-opml.ts'
import type { FetchedBytes, ParseTask } from './parse.worker.ts'

/**
 * Number of worker threads that parse feeds: one for background refreshes, and one only for feeds that a user is waiting for.
 */
const WORKERS = 2
const BACKGROUND_AT_ONCE = 1
const MEMORY_MB = 192
const IDLE_MS = 30_000
/** Time limit of one parse. A feed of 5 MB takes less than a second, so a longer parse means hostile input. */
const TIMEOUT_MS = 10_000
/**
 * Maximum number of waiting tasks: of one user (PERSON_LIMIT) and of all users together (QUEUE_LIMIT). The import of a feed
 * list sends six tasks of a user at a time, and a metadata look-up five.
 */
const PERSON_LIMIT = 20
const QUEUE_LIMIT = 2_000

const tooComplex = (cause?: unknown) =>
  new AppError('outside_failed', 'The feed is too large or too complex to read.', { cause })

const pool = createWorkerPool({
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
})

/** Runs a task in a worker thread, round-robin per user. Background tasks use at most one of the two threads. */
function parse(task: ParseTask): Promise<unknown> {
  const person = currentRequest()?.user
  return pool.run(task, { person, timeoutMs: TIMEOUT_MS, isBrief: person !== undefined })
}

/**
 * Parses a feed in a worker thread with limits on time and memory, and returns its articles. A hostile feed blocks no request:
 * it only ends the worker, which is replaced. Throws 'outside_failed' when the feed cannot be parsed, and 'too_many' when too
 * many tasks are waiting.
 */
export async function parseBytes(feed: FetchedBytes): Promise<FeedItem[]> {
  try {
    return (await parse({ kind: 'feed', ...feed })) as FeedItem[]
  } catch (error) {
    throw error instanceof WorkerFailure ? new AppError('outside_failed', error.message) : error
  }
}

/**
 * Parses an OPML file in a worker thread. Throws 'refused' when it cannot be read, and 'too_many' when too many tasks are
 * waiting.
 */
export async function parseOpmlFile(text: string): Promise<NamedFeed[]> {
  try {
    return (await parse({ kind: 'opml', text })) as NamedFeed[]
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many') throw error
    throw new AppError('refused', 'This file is not a valid OPML file.', { cause: error })
  }
}

/**
 * Parses a response of the arXiv API in a worker thread and returns its preprints. Throws 'outside_failed' when the response
 * cannot be parsed, and 'too_many' when too many tasks are waiting.
 */
export const parseArxiv = (text: string) =>
  parseFor<ArxivPaper[]>({ kind: 'arxiv', text }, 'arXiv gave an answer that does not follow the protocol.')

/**
 * Reads the `citation_*` tags of a web page in a worker thread; null if it has none. Throws 'outside_failed' when the page
 * cannot be read, and 'too_many' when too many tasks are waiting.
 */
export const parsePage = (page: FetchedBytes) =>
  parseFor<PageCitation | null>({ kind: 'page', ...page }, 'The page is too large or too complex to read.')

async function parseFor<Result>(task: ParseTask, failure: string): Promise<Result> {
  try {
    return (await parse(task)) as Result
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many') throw error
    throw new AppError('outside_failed', failure, { cause: error })
  }
}
