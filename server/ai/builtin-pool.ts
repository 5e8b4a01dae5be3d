import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { createWorkerPool, WorkerFailure } from '#server/workers/worker-pool.ts'
import type { BuiltInRequest, BuiltInTasks } from './builtin-worker.ts'
import { timeLimits } from './time-limits.ts'

const MEMORY_MB = 768
/** Maximum number of waiting calls of one user (PERSON_LIMIT) and of all users (QUEUE_LIMIT). Further calls are refused. */
const PERSON_LIMIT = 40
const QUEUE_LIMIT = 2_000
/** Maximum number of workers for analyses. Such a worker does not load the sentence model. */
const ANALYSIS_WORKERS = 1
/**
 * Maximum number of workers for embeddings and answers. Each worker loads its own copy of the sentence model (about 100 MB).
 */
const SENTENCE_WORKERS = 2
/** The pool starts a second worker when this many calls wait, or when the first worker runs a call that is not brief. */
const WORTH_ANOTHER = 6

/**
 * Milliseconds that the pool waits for a worker with the sentence model to end by itself before it terminates the worker. A
 * batch of texts takes less time, even with a large model on a busy machine (see builtInEmbedMs).
 */
const GRACE_MS = 600_000

/** Messages for calls whose task threw an error, by task. */
const FAILED: Record<keyof BuiltInTasks, string> = {
  analysis: 'The built-in analysis of this paper failed.',
  abstract: 'Reading the abstract of this paper failed.',
  volume: 'Reading the volume of this paper failed.',
  answer: 'The built-in answer failed.',
  library: 'The built-in answer failed.',
  phrases: 'Reading this question failed.',
  embed: 'The text could not be embedded.',
  load: 'The sentence model could not be loaded.',
}

const limits = {
  script: new URL('./builtin-worker.ts', import.meta.url),
  memoryMb: MEMORY_MB,
  queueLimit: QUEUE_LIMIT,
  personLimit: PERSON_LIMIT,
  countsProcessorTime: true,
  errors: {
    slow: () => new AppError('outside_slow', 'The built-in model took too long.'),
    memory: (cause?: unknown) =>
      new AppError('refused', 'The built-in model needs too much memory for this text.', { cause }),
    lost: (cause?: unknown) => new AppError('internal', 'The built-in model stopped unexpectedly.', { cause }),
    full: () =>
      new AppError(
        'too_many',
        'Too many of your requests are waiting for the built-in models. Please try again shortly.',
        {
          retryAfter: 30,
        },
      ),
  },
}

/** Analyses have a worker of their own, so that they neither delay questions nor load the sentence model. */
const analyses = createWorkerPool({ ...limits, size: ANALYSIS_WORKERS, idleMs: timeLimits.builtInAnalysisIdleMs })
const sentences = createWorkerPool({
  ...limits,
  size: SENTENCE_WORKERS,
  worthAnother: WORTH_ANOTHER,
  idleMs: timeLimits.builtInIdleMs,
  graceMs: GRACE_MS,
})

/**
 * Runs a call of a built-in model in a worker thread. The tasks `analysis`, `abstract` and `volume` wait in one queue and all
 * other tasks in another; both queues serve users in turn. `person` is the id of the user, null without one. `isBrief` declares
 * that the call ends within about a second, so an abort need not end its worker. Throws an AppError: 'outside_slow' (time
 * limit), 'refused' (too much memory), 'too_many' (too many calls of the user or of all users are waiting) or 'internal'.
 * Rejects with the signal's reason when aborted.
 */
export async function runBuiltIn<K extends keyof BuiltInTasks>(
  task: K,
  input: BuiltInTasks[K]['input'],
  { person, signal, isBrief }: { person: string | null; signal?: AbortSignal | undefined; isBrief: boolean },
): Promise<BuiltInTasks[K]['output']> {
  const request = { task, input } as BuiltInRequest
  const timeoutMs = task === 'embed' ? timeLimits.builtInEmbedMs : timeLimits.builtInMs
  const options = { person, signal, timeoutMs, isBrief }
  try {
    const isAnalysis = task === 'analysis' || task === 'abstract' || task === 'volume'
    const pool = isAnalysis ? analyses : sentences
    return (await pool.run(request, options)) as BuiltInTasks[K]['output']
  } catch (error) {
    if (error instanceof AppError && error.code === 'internal')
      log.error({ err: error.cause ?? error, task }, 'a worker of the built-in models ended')
    if (!(error instanceof WorkerFailure)) throw error
    log.error({ reason: error.message, task }, 'a built-in model threw')
    throw new AppError('internal', FAILED[task], { cause: error })
  }
}
