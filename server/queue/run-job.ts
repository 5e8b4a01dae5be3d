import { asSystem, type Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { insertEvents } from '#server/events/event-queries.ts'
import { log } from '#server/lib/log.ts'
import { JOB_CANCELLED, type JobKind } from '#shared/contract/jobs.ts'
import { followers, handlers, type Registered } from './handlers.ts'
import {
  announceJob,
  beginAttempt,
  changeRunning,
  failActive,
  isStillRunning,
  type JobRow,
  lockJob,
  presentJob,
} from './job-queries.ts'
import { CRASHED, judgeFailure, MAX_CRASHES, TOOK_TOO_LONG } from './outcome.ts'
import { throttleReports } from './progress.ts'
import { bury, end, HEARTBEAT_MS, keep, putBack, remove, type Taken } from './queue.ts'

/** Why a running job is aborted. */
export type StopReason = 'cancelled' | 'lost' | 'stopping' | 'late'
class Stopped extends Error {
  readonly reason: StopReason
  constructor(reason: StopReason) {
    super(`The job was stopped: ${reason}.`)
    this.name = 'AbortError'
    this.reason = reason
  }
}
/** Returns the reason for `AbortController.abort` of a running job. */
export const stopped = (reason: StopReason) => new Stopped(reason)

/** Returns whether the owner cancelled the job, rather than the process ending. */
export const wasCancelled = ({ reason }: AbortSignal) => reason instanceof Stopped && reason.reason === 'cancelled'

/** Publishes a job's present state in its owner's event stream. */
export const publishJob = (tx: Tx, row: JobRow) =>
  insertEvents(tx, row.owner_id, [{ event: 'job', data: presentJob(row) }])

/**
 * Runs one attempt of a fetched job and records the outcome in both the queue and the table. Rejects only when the
 * database fails: then the heartbeats end, and the queue delivers the job again.
 */
export async function runJob(kind: JobKind, taken: Taken, control: AbortController): Promise<void> {
  const registered = handlers.get(kind)!
  const row = await claim(kind, taken, control.signal)
  if (!row) return
  if (row.status !== 'running') return giveUp(row, taken, CRASHED)

  const { id, attempt } = row
  const stop = (reason: StopReason) => control.abort(stopped(reason))
  const heartbeat = setInterval(() => {
    keep(kind, taken).then(
      (isOurs) => isOurs || stop('lost'),
      (error: unknown) => log.warn({ err: error, job: id }, 'a job could not send its heartbeat'),
    )
  }, HEARTBEAT_MS)
  const limit = setTimeout(() => stop('late'), registered.timeLimitSeconds * 1000)
  const reports = throttleReports(async (progress, text) => {
    try {
      await asSystem(async (tx) => {
        const changed = await changeRunning(tx, id, attempt, { progress, progress_text: text })
        if (changed) await publishJob(tx, changed)
        else stop('lost')
      })
    } catch (error) {
      log.warn({ err: error, job: id }, 'the progress of a job could not be written')
    }
  })
  const outcome = await attemptJob(registered, row, control.signal, reports.report)
  clearInterval(heartbeat)
  clearTimeout(limit)
  await reports.stop()
  await settle(registered, row, taken, outcome)
}

type Outcome = { result: Record<string, unknown> | null; writes: ((tx: Tx) => Promise<void>)[] } | { error: unknown }

async function attemptJob(
  registered: Registered,
  row: JobRow,
  signal: AbortSignal,
  report: (progress: number, text?: string) => void,
): Promise<Outcome> {
  const guard = async (tx: Tx) => {
    if (!(await isStillRunning(tx, row.id, row.attempt))) throw stopped('lost')
  }
  // A handler that ignores its signal must not block its worker forever.
  const aborted = new Promise<never>((_, fail) => {
    const leave = () => fail(signal.reason as Error)
    if (signal.aborted) leave()
    signal.addEventListener('abort', () => setTimeout(leave, 5_000), { once: true })
  })
  aborted.catch(() => undefined)
  try {
    const { owner_id: ownerId, input, state } = row
    const keepState = async (next: object) => {
      const kept = await asSystem((tx) => changeRunning(tx, row.id, row.attempt, { state: { ...next } }))
      if (!kept) throw stopped('lost')
    }
    const writes: ((tx: Tx) => Promise<void>)[] = []
    const atCompletion = (write: (tx: Tx) => Promise<void>) => void writes.push(write)
    const run = { job: presentJob(row), ownerId, input, signal, report, guard, atCompletion, state, keepState }
    return { result: (await Promise.race([registered.handler(run), aborted])) ?? null, writes }
  } catch (error) {
    // After an abort, the reason of the abort counts, whatever the handler throws.
    return { error: signal.aborted ? signal.reason : error }
  }
}

async function settle(registered: Registered, row: JobRow, taken: Taken, outcome: Outcome): Promise<void> {
  const { id, kind, attempt } = row
  if ('result' in outcome) {
    const completed = await asSystem(async (tx) => {
      const done = await changeRunning(tx, id, attempt, {
        status: 'completed',
        progress: 100,
        progress_text: null,
        result: outcome.result,
        finished_at: new Date().toISOString(),
      })
      await end(tx, kind, taken)
      if (!done) return undefined
      for (const write of outcome.writes) await write(tx)
      await publishJob(tx, done)
      return done
    })
    if (completed) await follow(completed)
    return
  }
  const { error } = outcome
  if (error instanceof Stopped && (error.reason === 'cancelled' || error.reason === 'lost')) return
  if (error instanceof Stopped && error.reason === 'stopping') return waitAgain(row, taken, 0, null, attempt - 1)
  if (error instanceof Stopped) return giveUp(row, taken, TOOK_TOO_LONG)

  const failure = judgeFailure(error, attempt)
  const isExpected = error instanceof AppError
  log[isExpected ? 'info' : 'error']({ err: error, job: id, kind, attempt, retryIn: failure.retryIn }, 'a job failed')
  if (failure.retryIn === null) return giveUp(row, taken, failure.message)
  const words = `${failure.message} Trying again in ${Math.ceil(failure.retryIn)} seconds.`
  await waitAgain(row, taken, failure.retryIn, words, attempt)
}

/** Starts the follow-up of a completed job. The job itself is completed, so a failure here is only logged. */
async function follow(row: JobRow): Promise<void> {
  const completed = { job: presentJob(row), ownerId: row.owner_id, input: row.input }
  await followers
    .get(row.kind)?.(completed)
    .catch((error: unknown) => {
      log.warn({ err: error, job: row.id, kind: row.kind }, 'what follows a job could not be started')
    })
}

/**
 * Begins the attempt. Returns undefined when there is nothing to run. A returned row with the status 'queued' has
 * crashed too often.
 */
function claim(kind: JobKind, taken: Taken, signal: AbortSignal): Promise<JobRow | undefined> {
  return asSystem(async (tx) => {
    const row = await lockJob(tx, taken.id)
    const isOver = !row || row.status === 'completed' || row.status === 'failed'
    // Deleted with its document, or finished by another process. A cancelled job is finished by the process that
    // cancels it.
    if (isOver || row.error === JOB_CANCELLED) {
      await end(tx, kind, taken)
      return undefined
    }
    if (signal.aborted) {
      await putBack(tx, kind, taken, 0)
      return undefined
    }
    // A row with the status 'running' belongs to a process that ended within the attempt.
    if (row.status === 'running' && row.attempt >= MAX_CRASHES) return { ...row, status: 'queued' }
    const begun = await beginAttempt(tx, taken.id)
    await publishJob(tx, begun)
    return begun
  })
}

async function waitAgain(
  row: JobRow,
  taken: Taken,
  seconds: number,
  words: string | null,
  attempt: number,
): Promise<void> {
  await asSystem(async (tx) => {
    const waiting = await changeRunning(tx, row.id, row.attempt, {
      status: 'queued',
      progress: 0,
      progress_text: words,
      attempt,
    })
    if (!waiting) return
    await putBack(tx, row.kind, taken, seconds)
    await publishJob(tx, waiting)
    if (seconds === 0) await announceJob(tx, row.kind)
  })
}

async function giveUp(row: JobRow, taken: Taken, error: string): Promise<void> {
  await failJob(row, error, (tx) => end(tx, row.kind, taken))
}

/** Finishes a job that failed or was cancelled. Runs `onFailed` first, then updates the row that users see. */
export async function failJob(
  row: JobRow,
  error: string,
  settleQueue?: (tx: Tx) => Promise<void>,
): Promise<JobRow | undefined> {
  const cancelled = error === JOB_CANCELLED
  const job = { ...presentJob(row), status: 'failed' as const, error }
  const result = await handlers
    .get(row.kind)
    ?.onFailed({ job, ownerId: row.owner_id, input: row.input, error, cancelled, state: row.state })
    .catch((failure: unknown) => log.error({ err: failure, job: row.id }, 'what follows a failed job failed itself'))
  return asSystem(async (tx) => {
    const failed = await failActive(tx, row.id, error, result ?? null)
    await (settleQueue ?? ((own: Tx) => remove(own, row.kind, row.id)))(tx)
    if (!failed) return undefined
    if (!cancelled) await bury(tx, { id: row.id, kind: row.kind, input: row.input, attempt: row.attempt, error })
    await publishJob(tx, failed)
    return failed
  })
}
