import { asSystem, brokenConstraint, type Tx } from '#server/db/client.ts'
import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { jobsEnded, jobSeconds } from '#server/lib/metrics.ts'
import { inJob } from '#server/lib/request-context.ts'
import { withSpan } from '#server/lib/tracing.ts'
import { JOB_CANCELLED, type JobKind } from '#shared/contract/jobs.ts'
import { complete, type FetchedJob, heartbeat, HEARTBEAT_MS, requeue, send, withFailure } from './boss.ts'
import type { JobRun, Worker } from './handler.ts'
import {
  announceJob,
  changeRunning,
  failActive,
  findJob,
  type JobRow,
  markRightLost,
  presentJob,
  publishEnd,
  publishJob,
} from './job-queries.ts'
import { ALREADY_ACTIVE, judgeFailure, RIGHT_LOST, TOOK_TOO_LONG } from './outcome.ts'
import { throttleReports } from './progress.ts'
import { findStopReason, Stopped, type StopReason } from './stop-reason.ts'

/** Milliseconds that a handler may run after the abort. Then its attempt counts as ended, and the next job can begin. */
const ABORT_MS = 5_000

/** Thrown by `continueAs` to leave the handler: the job continues as another kind. */
class Continued extends Error {
  readonly kind: JobKind
  readonly input: Record<string, unknown>

  constructor(kind: JobKind, input: Record<string, unknown>) {
    super(`The job continues as ${kind}.`)
    this.kind = kind
    this.input = input
  }
}

/** Thrown by `postpone` to leave the handler: the job returns to the queue for some seconds. */
class Postponed extends Error {
  readonly seconds: number
  readonly text: string

  constructor(seconds: number, text: string) {
    super('The job is postponed.')
    this.seconds = seconds
    this.text = text
  }
}

// `owner_id` is null only after the account was deleted, which deletes its active jobs. '' is an account without any right.
const jobOf = (row: JobRow) => ({
  job: presentJob(row),
  ownerId: row.owner_id ?? '',
  input: row.input,
  state: row.state,
})

/**
 * Runs one attempt of a job and records the outcome in the queue and in the table `jobs`. Rejects only if the database fails.
 * The process then no longer sends heartbeats, so that the queue delivers the job again.
 */
export async function runJob(
  worker: Worker,
  row: JobRow,
  fetched: FetchedJob,
  control: AbortController,
): Promise<void> {
  const stop = (reason: StopReason) => control.abort(new Stopped(reason))
  const heartbeats = setInterval(() => {
    heartbeat(row.kind, fetched).then(
      (isOurs) => isOurs || stop('lost'),
      (error: unknown) => log.warn({ err: error, job: row.id }, 'a job could not send its heartbeat'),
    )
  }, HEARTBEAT_MS)
  const limit = setTimeout(stop, worker.timeLimitSeconds * 1000, 'late')
  const reports = throttleReports((progress, text) =>
    asSystem(async (tx) => {
      const changed = await changeRunning(tx, row, { progress, progress_text: text })
      if (changed) await publishJob(tx, changed)
      else stop((await findStopReason(tx, row)) ?? 'lost')
    }).catch((error: unknown) => log.warn({ err: error, job: row.id }, 'the progress of a job could not be written')),
  )
  const writes: ((tx: Tx) => Promise<void>)[] = []
  const { signal } = control
  const stopTimer = jobSeconds.startTimer({ kind: row.kind })
  const span = {
    name: `job ${row.kind}`,
    kind: 'consumer',
    attributes: { 'lectern.job.attempt': row.attempt },
  } as const
  const run: JobRun = {
    ...jobOf(row),
    signal,
    report: reports.report,
    assertStillRunning: async (tx) => {
      const reason = await findStopReason(tx, row)
      if (reason === undefined) return
      stop(reason)
      throw signal.reason as Error
    },
    saveState: async (state) => {
      row.state = { ...state }
      await asSystem(async (tx) => {
        if (await changeRunning(tx, row, { state: row.state })) return
        stop((await findStopReason(tx, row)) ?? 'lost')
        throw signal.reason as Error
      })
    },
    continueAs: (kind, input) => {
      throw new Continued(kind, input)
    },
    postpone: (seconds, text) => {
      throw new Postponed(seconds, text)
    },
    atCompletion: (write) => void writes.push(write),
  }
  const handled = inJob(row.key_id, () => withSpan(span, () => worker.handler(run)))
  // After an abort, the reason of the abort counts, and not the error that the handler throws.
  const outcome = await Promise.race([handled, rejectAfter(signal)]).then(
    (result) => ({ result: result ?? null }),
    (error: unknown) => ({ error: signal.aborted ? (signal.reason as unknown) : error }),
  )
  stopTimer()
  clearInterval(heartbeats)
  clearTimeout(limit)
  await reports.stop()
  if ('result' in outcome) await completeJob(worker, row, fetched, outcome.result, writes)
  else await endAttempt(worker, row, fetched, outcome.error)
}

/** Returns a promise that rejects ABORT_MS after the signal is aborted. */
const rejectAfter = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const leave = () => setTimeout(() => reject(signal.reason as Error), ABORT_MS)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })

async function completeJob(
  worker: Worker,
  row: JobRow,
  fetched: FetchedJob,
  result: JobRow['result'],
  writes: readonly ((tx: Tx) => Promise<void>)[],
): Promise<void> {
  const finished_at = new Date().toISOString()
  const completed = await asSystem(async (tx) => {
    const values = { status: 'completed', progress: 100, progress_text: null, result, finished_at } as const
    const done = await changeRunning(tx, row, values)
    if (!done) return undefined
    await complete(tx, row.kind, fetched)
    for (const write of writes) await write(tx)
    await publishEnd(tx, done)
    return done
  })
  if (!completed) return
  jobsEnded.inc({ kind: row.kind, outcome: 'completed' })
  await inJob(row.key_id, () => worker.onCompleted(jobOf(completed))).catch((error: unknown) =>
    log.warn({ err: error, job: row.id }, 'the follow-up of a job could not be started'),
  )
}

/** Moves a job to the queue of another kind. Fails the job if its document has an active job of that kind. */
const moveJob = (worker: Worker, row: JobRow, fetched: FetchedJob, { kind, input }: Continued) =>
  asSystem(async (tx) => {
    const change = { kind, input, state: null, status: 'queued', attempt: 0, progress: 0, progress_text: null } as const
    const moved = await changeRunning(tx, row, change)
    if (!moved) return
    await complete(tx, row.kind, fetched)
    await send(tx, kind, [{ id: row.id, turn: 0 }])
    await publishJob(tx, moved)
    await announceJob(tx, kind)
  }).catch(async (error: unknown) => {
    if (brokenConstraint(error) !== 'jobs_one_active') throw error
    await failJob(worker, row, ALREADY_ACTIVE[kind], fetched)
  })

/** Decides what follows an attempt that threw: another kind or attempt, failure, or nothing if it was cancelled or lost. */
async function endAttempt(worker: Worker, row: JobRow, fetched: FetchedJob, error: unknown): Promise<void> {
  if (error instanceof Continued) return moveJob(worker, row, fetched, error)
  if (error instanceof Postponed)
    return waitAgain(row, fetched, { attempt: row.attempt - 1, progress_text: error.text }, error.seconds)
  if (error instanceof Stopped) {
    if (error.reason === 'stopping') await waitAgain(row, fetched, { attempt: row.attempt - 1 })
    if (error.reason === 'late') await failJob(worker, row, TOOK_TOO_LONG, fetched)
    return
  }
  if (await markRightLost(row)) return void (await failJob(worker, row, RIGHT_LOST, fetched, 'role'))
  const failure = judgeFailure(error, row.attempt)
  const level = error instanceof AppError ? 'info' : 'error'
  log[level]({ err: error, job: row.id, attempt: row.attempt, retryIn: failure.retryIn }, 'a job failed')
  if (failure.retryIn === null) return void (await failJob(worker, row, failure.message, fetched, failure.code))
  const progress_text = `${failure.message} Trying again in ${Math.ceil(failure.retryIn)} seconds.`
  jobsEnded.inc({ kind: row.kind, outcome: 'retried' })
  await waitAgain(row, withFailure(fetched), { progress_text }, failure.retryIn)
}

const waitAgain = (
  row: JobRow,
  fetched: FetchedJob,
  change: { attempt?: number; progress_text?: string },
  seconds = 0,
) =>
  asSystem(async (tx) => {
    const waiting = await changeRunning(tx, row, { status: 'queued', progress: 0, progress_text: null, ...change })
    if (!waiting) return
    await requeue(tx, row.kind, fetched, seconds)
    await publishJob(tx, waiting)
    if (seconds === 0) await announceJob(tx, row.kind)
  })

/**
 * Ends a job that failed or was cancelled. First calls `onFailed`, then updates the row that users see. Removes `fetched` from
 * the queue. Without `fetched`, the job stays in the queue until a worker fetches it and finds that the job has ended. Does
 * nothing if the job has ended, or if another process has begun its next attempt.
 */
export async function failJob(
  worker: Worker,
  row: JobRow,
  error: string,
  fetched?: FetchedJob,
  code: ErrorCode | null = null,
): Promise<JobRow | undefined> {
  const current = await findJob(row.id)
  const hasEnded = current?.status === 'completed' || current?.status === 'failed'
  if (hasEnded || (current && current.attempt !== row.attempt)) return undefined
  const cancelled = error === JOB_CANCELLED || error === RIGHT_LOST
  const failing = jobOf({ ...row, status: 'failed', error })
  const result = await inJob(row.key_id, () => worker.onFailed({ ...failing, error, cancelled })).catch(
    (failure: unknown) => log.error({ err: failure, job: row.id }, 'the follow-up of a failed job failed'),
  )
  const ended = await asSystem(async (tx) => {
    const failed = await failActive(tx, row, { error, error_code: code, result: result ?? null })
    if (!failed) return undefined
    if (fetched) await complete(tx, row.kind, fetched)
    await publishEnd(tx, failed)
    return failed
  })
  if (ended) jobsEnded.inc({ kind: row.kind, outcome: cancelled ? 'cancelled' : 'failed' })
  return ended
}
