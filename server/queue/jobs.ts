import { setTimeout as pause } from 'node:timers/promises'
import { asSystem, database, type Tx } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/db/actor.ts'
import { JOB_CANCELLED, type Job, type JobKind } from '#shared/contract/jobs.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import {
  type CompletedJob,
  followers,
  type FailedJob,
  type Handler,
  handlers,
  type JobRun,
  type WorkOptions,
} from './handlers.ts'
import {
  announceJob,
  deleteOldJobs,
  findActiveJob,
  findJob,
  findStrandedJobs,
  insertJob,
  isDisabledOwner,
  listActive,
  lockJob,
  markCancelled,
  presentJob,
  takeActiveOf,
} from './job-queries.ts'
import { CRASHED } from './outcome.ts'
import { put, putBackAll, remove, startQueue, stopQueue } from './queue.ts'
import { failJob, publishJob, wasCancelled } from './run-job.ts'
import { startWorker } from './worker.ts'

export type { CompletedJob, FailedJob, JobRun, WorkOptions }
export { wasCancelled }

const TIDY_MS = 60_000
/** Polling interval of `waitForJob`, in milliseconds. */
const WAIT_MS = 300
const BUSY: Record<JobKind, string> = {
  extract: 'The text of this document is being extracted already.',
  ocr: 'The text of this document is being read already.',
  analyze: 'This document is being analyzed already.',
  vectorize: 'This document is being vectorized already.',
  process: 'These documents are being processed already.',
  fetch: 'The PDF of this paper is being fetched already.',
  journals: 'A journal update is running already.',
  research: 'Research is being generated already.',
}

const workers: { stop(): Promise<void> }[] = []
let tidying: NodeJS.Timeout | undefined

/**
 * Enqueues a job as part of `tx`, to which row-level security may apply: the job exists only if the transaction
 * commits. A document has at most one active job of a kind: a second call with the same input (a double click) returns
 * the existing job; with another input it throws `conflict`.
 */
export function enqueue(
  tx: Tx,
  wanted: {
    kind: JobKind
    ownerId: string
    documentId: string | null
    projectId: string | null
    input: Record<string, unknown>
  },
): Promise<Job> {
  const { kind, ownerId, documentId, projectId, input } = wanted
  return withOwnerRole(tx, async () => {
    // A job can complete at the moment at which its account is disabled; its follow-up job must not start.
    if (await isDisabledOwner(tx, ownerId)) throw new AppError('refused', 'The account of this job is disabled.')
    const values = { kind, owner_id: ownerId, document_id: documentId, project_id: projectId, input }
    const row = await insertJob(tx, values)
    if (!row) {
      const active = documentId === null ? undefined : await findActiveJob(tx, documentId, kind, input)
      if (!active?.isSame || active.row.error === JOB_CANCELLED) throw new AppError('conflict', BUSY[kind])
      return presentJob(active.row)
    }
    await put(tx, kind, row.id)
    await announceJob(tx, kind)
    await publishJob(tx, row)
    return presentJob(row)
  })
}

/**
 * Registers `handler` for the jobs of a kind. An attempt that throws because an outside service failed
 * ('outside_failed', 'outside_slow', 'too_many') is retried up to three times, unless the AppError is `permanent`. Any
 * other error ends the job with the error's message.
 * `Input` is the type that the same room passed to `enqueue`.
 */
export async function work<Input extends object = Record<string, unknown>>(
  kind: JobKind,
  handler: Handler<Input>,
  options: WorkOptions<Input> = {},
): Promise<void> {
  const { concurrency = 1, timeLimitSeconds = 3600, onFailed = async () => undefined } = options
  handlers.set(kind, {
    handler: (run) => handler(run as unknown as JobRun<Input>),
    concurrency,
    timeLimitSeconds,
    onFailed: (failed) => onFailed(failed as unknown as FailedJob<Input>),
  })
  workers.push(startWorker(kind, concurrency))
}

/** Calls `follower` after each completed job of a kind, outside any transaction. At most one follower per kind. */
export function whenCompleted(kind: JobKind, follower: (completed: CompletedJob) => Promise<unknown>): void {
  followers.set(kind, follower)
}

/**
 * Cancels a job of the caller: a waiting job is removed, a running one gets its signal. The job ends as failed with the
 * error 'Cancelled'. A finished job is returned unchanged.
 */
export async function cancel(actor: Actor, jobId: string): Promise<Job> {
  const marked = await asSystem((tx) => markCancelled(tx, jobId, actor.userId))
  if (marked) {
    const cancelled = await failJob(marked, JOB_CANCELLED)
    if (cancelled) return presentJob(cancelled)
  }
  const row = await asSystem((tx) => lockJob(tx, jobId))
  if (!row || row.owner_id !== actor.userId) throw notFound('Job')
  return presentJob(row)
}

/** Cancels every job of an account that `tx` deletes: waiting jobs never start, running ones get their signal. */
export async function cancelAllOf(tx: Tx, ownerId: string): Promise<void> {
  for (const { id, kind } of await listActive(tx, ownerId)) {
    await markCancelled(tx, id, ownerId)
    await remove(tx, kind, id)
  }
}

/**
 * Deletes the jobs of documents that `tx` deletes: waiting jobs never start, running ones get their signal. Skips a job
 * row that another transaction has locked; that job finds its document missing.
 */
export async function dropJobsOf(tx: Tx, ownerId: string, documentIds: readonly string[]): Promise<void> {
  await withOwnerRole(tx, async () => {
    for (const { id, kind } of await takeActiveOf(tx, ownerId, documentIds)) await remove(tx, kind, id)
  })
}

/** Cancels every job of an account that remains, as if the owner had cancelled each. */
export async function cancelEveryJobOf(ownerId: string): Promise<void> {
  const active = await asSystem((tx) => listActive(tx, ownerId))
  await Promise.all(active.map(({ id }) => cancel({ userId: ownerId, isAdmin: false }, id)))
}

/**
 * Waits until a job has finished, completed or failed, in any process. Returns undefined when it was deleted with its
 * document.
 */
export async function waitForJob(jobId: string, signal: AbortSignal): Promise<Job | undefined> {
  for (;;) {
    const row = await findJob(jobId)
    if (!row) return undefined
    if (row.status === 'completed' || row.status === 'failed') return presentJob(row)
    await pause(WAIT_MS, undefined, { signal })
  }
}

/** Starts the queue. Call `startEvents` before and register the handlers after. Jobs of a killed process run again. */
export async function startJobs(): Promise<void> {
  await startQueue()
  if (database().embedded) await putBackAll()
  tidying = setInterval(() => void tidy(), TIDY_MS)
}

/** Enqueues jobs that already have a row, from a process that runs no jobs. */
export async function requeueJobs(ids: readonly string[]): Promise<void> {
  await startQueue()
  try {
    await asSystem(async (tx) => {
      for (const id of ids) {
        const row = await lockJob(tx, id)
        if (row) await put(tx, row.kind, id)
      }
    })
  } finally {
    await stopQueue()
  }
}

/** Stops running jobs. Active jobs get their signal and return to the queue. */
export async function stopJobs(): Promise<void> {
  clearInterval(tidying)
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  handlers.clear()
  await stopQueue()
}

/** Ends stranded jobs and deletes old ones. */
async function tidy(): Promise<void> {
  try {
    for (const row of await findStrandedJobs())
      await failJob(row, row.error === JOB_CANCELLED ? JOB_CANCELLED : CRASHED)
    await deleteOldJobs()
  } catch (error) {
    log.error({ err: error }, 'the jobs could not be tidied up')
  }
}
