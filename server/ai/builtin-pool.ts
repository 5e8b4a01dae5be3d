import { Worker } from 'node:worker_threads'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import type { Analysis } from '#shared/analysis.ts'
import type { Tasks, WorkerReply, WorkerRequest } from './builtin-worker.ts'
import { timeLimits } from './time-limits.ts'

const MAX_HEAP_MB = 512
const FAILED = 'The built-in analysis of this paper failed.'

let worker: Worker | null = null
let idle: NodeJS.Timeout | undefined
let lastId = 0
/** The end of the queue: one paper at a time, since more threads would only take the cores from everything else. */
let queue: Promise<unknown> = Promise.resolve()

/**
 * Runs the built-in analysis in its own thread, in turn. `signal` ends it at any time; a paper that takes longer than
 * the limit, or more memory, costs its thread and gets an AppError.
 */
export const analyzeInWorker = (paper: Tasks['analysis']['input'], signal?: AbortSignal): Promise<Analysis> =>
  inTurn('analysis', paper, signal)

/** What a research question is about, found in the same thread. */
export const phrasesInWorker = (question: string, signal?: AbortSignal): Promise<string[]> =>
  inTurn('phrases', question, signal)

function inTurn<K extends keyof Tasks>(
  task: K,
  input: Tasks[K]['input'],
  signal: AbortSignal | undefined,
): Promise<Tasks[K]['output']> {
  const turn = queue.then(() => runOne({ task, input }, signal))
  queue = turn.catch(() => {})
  return turn
}

async function runOne(
  task: Omit<WorkerRequest, 'id'>,
  signal: AbortSignal | undefined,
): Promise<Tasks[keyof Tasks]['output']> {
  signal?.throwIfAborted()
  clearTimeout(idle)
  const thread = (worker ??= startWorker())
  const id = (lastId += 1)
  const { promise, resolve, reject } = Promise.withResolvers<WorkerReply>()
  const onMessage = (reply: WorkerReply) => reply.id === id && resolve(reply)
  const onAbort = () => reject(signal?.reason)
  const limit = setTimeout(
    () => reject(new AppError('outside_slow', 'The built-in analysis took too long.')),
    timeLimits.builtInMs,
  )
  thread.on('message', onMessage).on('error', reject).on('exit', reject)
  signal?.addEventListener('abort', onAbort)
  try {
    thread.postMessage({ ...task, id }, [])
    const reply = await promise
    if ('output' in reply) return reply.output
    log.error({ reason: reply.error }, 'the built-in analysis threw')
    throw new AppError('internal', FAILED)
  } catch (error) {
    if (error instanceof AppError && error.code === 'internal') throw error
    // A thread in the middle of a computation cannot be asked to stop: it is ended, and the next paper gets a new one.
    dropWorker()
    if (signal?.aborted || error instanceof AppError) throw error
    log.error(
      { reason: error instanceof Error ? error.message : `exit ${String(error)}` },
      'the thread of the built-in analysis ended',
    )
    throw new AppError('internal', FAILED)
  } finally {
    clearTimeout(limit)
    signal?.removeEventListener('abort', onAbort)
    thread.off('message', onMessage).off('error', reject).off('exit', reject)
    idle = setTimeout(dropWorker, timeLimits.builtInIdleMs).unref()
  }
}

function startWorker(): Worker {
  const thread = new Worker(new URL('./builtin-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  thread.unref() // an idle thread must not keep the process from ending
  thread.on('error', () => forget(thread)).on('exit', () => forget(thread))
  return thread
}

function forget(thread: Worker): void {
  if (worker === thread) worker = null
}

function dropWorker(): void {
  const thread = worker
  worker = null
  void thread?.terminate()
}
