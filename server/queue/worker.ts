import { asSystem } from '#server/db/client.ts'
import { isDisabledAccount } from '#server/events/event-queries.ts'
import { CHANNELS, onNotice } from '#server/events/listen.ts'
import { log } from '#server/lib/log.ts'
import { JOB_CANCELLED, type JobKind } from '#shared/contract/jobs.ts'
import { complete, failuresOf, fetchJobs, withdraw } from './boss.ts'
import type { Worker } from './handler.ts'
import { beginAttempts, type JobRow, lockJobs, publishJob } from './job-queries.ts'
import { codeOf, errorBeforeAttempt } from './outcome.ts'
import { findPaused, markPaused } from './pause-queries.ts'
import { failJob, runJob } from './run-job.ts'
import { type StopReason, Stopped } from './stop-reason.ts'

/**
 * Starts a worker that fetches the jobs of one kind and runs up to `concurrency` of them at the same time, until it is stopped.
 */
export function startWorker(kind: JobKind, worker: Worker) {
  const running = new Map<string, { control: AbortController; ended: Promise<void> }>()
  let isStopping = false
  let isRequested = false
  let fetching: Promise<void> | undefined

  const run = (id: string, start: (control: AbortController) => Promise<unknown>) => {
    const control = new AbortController()
    const ended = start(control)
      .catch((error: unknown) => log.error({ err: error, job: id }, 'a job could not be settled'))
      .then(() => {
        running.delete(id)
        fetchMore()
      })
    running.set(id, { control, ended })
  }
  const fetchAll = async () => {
    while (isRequested && !isStopping && running.size < worker.concurrency) {
      const free = worker.concurrency - running.size
      isRequested = false
      const fetched = await fetchAndBegin(kind, free)
      for (const { job, row, error } of fetched)
        if (row)
          run(row.id, (control) =>
            error ? failJob(worker, row, error, job, codeOf(error)) : runJob(worker, row, job, control),
          )
      isRequested ||= fetched.length === free
    }
  }
  /** Fetches jobs until the queue is empty, or until `concurrency` jobs are running. */
  const fetchMore = () => {
    isRequested = true
    fetching ??= fetchAll()
      .catch((error: unknown) => log.error({ err: error, kind }, 'the job queue cannot be read'))
      .finally(() => (fetching = undefined))
  }
  const stopRun = (id: string, reason: StopReason) => running.get(id)?.control.abort(new Stopped(reason))
  const stopListening = onNotice((channel, text) => {
    if (channel === CHANNELS.cancel) stopRun(text, 'cancelled')
    else if (channel === 'reconnected' || (channel === CHANNELS.job && text === kind)) fetchMore()
  })
  fetchMore()
  return {
    fetchMore,
    async stop() {
      isStopping = true
      stopListening()
      await fetching
      for (const id of running.keys()) stopRun(id, 'stopping')
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

/**
 * Fetches jobs and begins their attempts in one transaction, so that the queue and the table always agree. Returns each fetched
 * job with its row, which is undefined if the job was deleted, has ended or is paused. `error` is set if the job must fail
 * without an attempt: a cancellation of the job was interrupted, its account is disabled, or the process ended (crashed) during
 * too many attempts.
 */
const fetchAndBegin = (kind: JobKind, limit: number) =>
  asSystem(async (tx) => {
    const fetched = await fetchJobs(tx, kind, limit)
    const rows = new Map((await lockJobs(tx, fetched)).map((row) => [row.id, row]))
    const begun = new Map<string, JobRow>()
    const paused = await findPaused(tx, [...rows.values()])
    // When the upload is resumed, its jobs are sent to the queue again.
    if (paused.size > 0) {
      await withdraw(tx, kind, [...paused])
      for (const row of await markPaused(tx, [...paused])) await publishJob(tx, row)
    }
    const disabled = new Set<string | null>()
    for (const owner of new Set([...rows.values()].map(({ owner_id }) => owner_id)))
      if (owner !== null && (await isDisabledAccount(tx, owner))) disabled.add(owner)
    const errors = new Map(
      fetched.map((job) => {
        const row = rows.get(job.id)
        const error = row && errorBeforeAttempt(row, failuresOf(job))
        return [job.id, error ?? (row && disabled.has(row.owner_id) ? JOB_CANCELLED : undefined)]
      }),
    )
    const startable = [...rows.values()].filter(({ id }) => !errors.get(id) && !paused.has(id))
    for (const row of await beginAttempts(tx, startable)) {
      begun.set(row.id, row)
      await publishJob(tx, row)
    }
    // Jobs that were deleted, or have ended.
    const over = fetched.filter((job) => !rows.has(job.id))
    if (over.length > 0) await complete(tx, kind, over)
    return fetched.map((job) => {
      const row = paused.has(job.id) ? undefined : rows.get(job.id)
      return { job, row: begun.get(job.id) ?? row, error: row && errors.get(job.id) }
    })
  })
