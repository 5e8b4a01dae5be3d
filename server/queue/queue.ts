import pLimit from 'p-limit'
import { asSystem, database, type Tx } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { type Actor, actorFor } from '#server/db/actor.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { JOB_CANCELLED, type Job, type JobKind } from '#shared/contract/jobs.ts'
import { requeueAbandoned, send, startBoss, stopBoss } from './boss.ts'
import type { CompletedJob, FailedJob, JobRun, Worker } from './handler.ts'
import { ALREADY_ACTIVE, codeOf, RIGHT_LOST } from './outcome.ts'
import {
  announceJob,
  deleteActiveJobs,
  deleteOldJobs,
  findActiveByKind,
  findActiveIds,
  findActiveKinds,
  findJob,
  findTurns,
  type JobsOf,
  lockActiveJobs,
  markEnded,
  presentJob,
  publishJob,
} from './job-queries.ts'
import { findWaiting, unmarkPaused } from './pause-queries.ts'
import { failJob } from './run-job.ts'
import { wasCancelled } from './stop-reason.ts'
import { startWorker } from './worker.ts'

export type { CompletedJob, FailedJob, JobRun }
export { ALREADY_ACTIVE, RIGHT_LOST, wasCancelled }
export { type Automatic, enqueue, enqueueOnce } from './enqueue.ts'
export { deleteJobsWithoutProject, findFailedState, forgetState } from './job-queries.ts'
export { postponeOnConflict } from './postpone-on-conflict.ts'
export { waitForEnd } from './wait-for-end.ts'

/**
 * Interval of polling in milliseconds. Polling is needed because a delayed job becomes due without a notification, and because
 * a notification can be lost.
 */
const POLL_MS = 2_000
const CLEANING_MS = 3600_000
const workers = new Map<JobKind, Worker & ReturnType<typeof startWorker>>()
let timers: NodeJS.Timeout[] = []

/**
 * Registers the `handler` of the jobs of a kind. An attempt that throws because an outside service failed
 * ('outside_failed', 'outside_slow', 'too_many') is retried up to three times, unless the AppError is `permanent`. Any
 * other error ends the job with the error's message. The handler's return value is stored as the job's result.
 * `Input` is the type that the caller of `enqueue` passed.
 */
export function registerWorker<Input extends object = Record<string, unknown>>(
  kind: JobKind,
  handler: Worker<Input>['handler'],
  options: Partial<Omit<Worker<Input>, 'handler'>> = {},
): void {
  const nothing = async () => undefined
  const defaults = { concurrency: 1, timeLimitSeconds: 3600, onFailed: nothing, onCompleted: nothing }
  const worker = { ...defaults, ...options, handler } as unknown as Worker
  workers.set(kind, { ...worker, ...startWorker(kind, worker) })
}

/**
 * Cancels a job of the caller. A waiting job never starts; the signal of a running job is aborted. The job ends as failed with
 * the error 'Cancelled'. A job that has ended is returned unchanged. Throws 'not_found' for a job of another account.
 */
export const cancel = (actor: Actor, jobId: string): Promise<Job> => end(actor, jobId, JOB_CANCELLED)

async function end(actor: Actor, jobId: string, error: string): Promise<Job> {
  const marked = await asSystem((tx) => markEnded(tx, jobId, actor.userId, error))
  // A command has no workers. The next server that fetches the job ends it, because `onFailed` changes the document.
  const worker = marked && workers.get(marked.kind)
  const ended = worker && (await failJob(worker, marked, error, undefined, codeOf(error)))
  const row = ended ?? (await findJob(jobId))
  if (row?.owner_id !== actor.userId) throw notFound('Job')
  return presentJob(row)
}

/** Number of jobs that one call ends at the same time. Each uses a database connection, which other requests also need. */
const ENDED_AT_ONCE = 4

/**
 * Cancels jobs of an account. They end as failed with the message `error`. Jobs that have ended stay unchanged, and deleted
 * jobs are omitted. Logs the error of a job that could not be cancelled.
 */
export async function cancelEach(
  ownerId: string,
  ids: readonly string[],
  error: string = JOB_CANCELLED,
): Promise<void> {
  await pLimit(ENDED_AT_ONCE).map(ids, (id) =>
    end(actorFor(ownerId), id, error).catch((failure: unknown) => {
      if (failure instanceof AppError && failure.code === 'not_found') return
      log.error({ err: failure, job: id }, 'a job could not be cancelled')
    }),
  )
}

/** Cancels every active job of an account. The jobs end as failed with the error 'Cancelled'. */
export const cancelAll = async (ownerId: string): Promise<void> => cancelEach(ownerId, await findActiveIds(ownerId))

/**
 * Ends the queued and running jobs of an account in a project that the account may no longer change. They end as failed with
 * the error RIGHT_LOST.
 */
export const endJobsIn = async (projectId: string, ownerId: string): Promise<void> =>
  cancelEach(ownerId, await findActiveIds(ownerId, projectId), RIGHT_LOST)

/**
 * Sends jobs back to the queue when a user resumes the processing of a paused upload; the pause had removed them from the
 * queue. Jobs that are already in the queue stay unchanged.
 */
export const releaseJobs = (tx: Tx, ids: readonly string[]): Promise<void> =>
  withOwnerRole(tx, async () => {
    const waiting = await findWaiting(tx, ids)
    for (const { kind, ids: ofKind } of waiting) {
      await send(tx, kind, await findTurns(tx, kind, ofKind))
      await announceJob(tx, kind)
    }
    // After the queue, in the lock order of the workers.
    for (const row of await unmarkPaused(
      tx,
      waiting.flatMap((group) => group.ids),
    ))
      await publishJob(tx, row)
  })

/**
 * Deletes the jobs of an account or of documents that `tx` deletes. Waiting jobs never start; the signals of running jobs are
 * aborted. Jobs whose rows another transaction has locked are not deleted: such a job finds that its document is missing.
 */
export const deleteJobs = (tx: Tx, of: JobsOf): Promise<void> => withOwnerRole(tx, () => deleteActiveJobs(tx, of))

/**
 * Locks the active jobs of documents or of an account before `tx` changes their rows: a move of the documents to another
 * project, or a permanent deletion. A job that stores its result locks its own row first and then its document. Locking in the
 * reverse order could deadlock.
 */
export const lockJobsOf = (tx: Tx, of: JobsOf): Promise<void> => withOwnerRole(tx, () => lockActiveJobs(tx, of))

/**
 * Starts the queue. Call `startEvents` before, and register the workers after. Jobs of a killed process and jobs of a restored
 * backup are sent to the queue.
 */
export async function startJobs(): Promise<void> {
  await startBoss()
  const active = await asSystem(findActiveByKind)
  for (const { kind, ids, running } of active) {
    await asSystem(async (tx) => send(tx, kind, await findTurns(tx, kind, ids)))
    if (database().embedded) await requeueAbandoned(kind, running)
  }
  timers = [setInterval(poll, POLL_MS), setInterval(cleanUp, CLEANING_MS)]
  cleanUp()
}

/** Stops all workers. The signals of running jobs are aborted, and the jobs return to the queue. */
export async function stopJobs(): Promise<void> {
  for (const timer of timers) clearInterval(timer)
  await Promise.all([...workers.values()].map((worker) => worker.stop()))
  workers.clear()
  await stopBoss()
}

function poll(): void {
  findActiveKinds()
    .then((kinds) => {
      for (const kind of kinds) workers.get(kind)?.fetchMore()
    })
    .catch((error: unknown) => log.error({ err: error }, 'the job queue cannot be read'))
}

function cleanUp(): void {
  deleteOldJobs().catch((error: unknown) => log.error({ err: error }, 'old jobs could not be deleted'))
}
