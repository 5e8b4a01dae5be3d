import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import type { TaskOptions } from '#server/workers/pool-options.ts'
import { poolErrors } from '#server/workers/pool-errors.ts'
import { createWorkerPool, WorkerFailure } from '#server/workers/worker-pool.ts'
import type { ReferenceRequest, ReferenceTasks } from './tasks.ts'

/**
 * Number of worker threads for imports: one reads whole files, and one runs only brief tasks, which therefore never wait for a
 * file.
 */
const WORKERS = 2
/**
 * Number of worker threads for previews. They only read files to show and count records, so that no import delays a preview.
 */
const PREVIEW_WORKERS = 1
/** Memory limit of a worker. A file of 50 MB needs 100 MB as text, and its records need another 100 MB. */
const MEMORY_MB = 1536
const IDLE_MS = 60_000
const PERSON_LIMIT = 40
const QUEUE_LIMIT = 500
/**
 * Limit of the processor time of each task, in milliseconds. A preview must be quick. Reading 50,000 entries of BibTeX takes
 * four minutes.
 */
const TIMEOUT_MS = { inspect: 10_000, read: 15 * 60_000, plan: 10_000, match: 10_000, join: 60_000 }

const openPool = (size: number) =>
  createWorkerPool({
    script: new URL('./references.worker.ts', import.meta.url),
    size,
    longAtOnce: 1,
    memoryMb: MEMORY_MB,
    queueLimit: QUEUE_LIMIT,
    personLimit: PERSON_LIMIT,
    idleMs: IDLE_MS,
    countsProcessorTime: true,
    errors: poolErrors('Reading this file', 'Too many of your files are being read.'),
  })
const imports = openPool(WORKERS)
const previews = openPool(PREVIEW_WORKERS)

/**
 * Runs a task on references in a worker thread, round-robin per user. Throws an AppError with a message for the user:
 * 'refused', 'too_large', or 'too_many' when the queue is full. Throws an Error if the worker fails unexpectedly.
 */
export async function runOnReferences<Task extends keyof ReferenceTasks>(
  task: Task,
  input: ReferenceTasks[Task]['input'],
  options: Pick<TaskOptions, 'person' | 'signal' | 'onProgress'>,
): Promise<ReferenceTasks[Task]['output']> {
  try {
    const request = { task, ...input } as ReferenceRequest
    const pool = task === 'inspect' ? previews : imports
    const isBrief = task === 'join' || task === 'plan' || task === 'match'
    return (await pool.run(request, {
      ...options,
      isBrief,
      timeoutMs: TIMEOUT_MS[task],
    })) as ReferenceTasks[Task]['output']
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error
    if (error.code === 'internal') throw new Error(error.message, { cause: error })
    throw new AppError(error.code as ErrorCode, error.message, { cause: error })
  }
}
