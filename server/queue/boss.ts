import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import { database, type Tx } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import { JOB_KINDS, type JobKind } from '#shared/contract/jobs.ts'

const DAY_SECONDS = 24 * 3600
/** Time after which pg-boss deletes a waiting job, in seconds: about sixty years, so that a waiting job is never deleted. */
const RETENTION_SECONDS = 2_000_000_000
/**
 * Time without a heartbeat after which a running job is delivered again, in seconds. A running job sends three heartbeats in
 * this time.
 */
const SILENCE_SECONDS = env.JOB_SILENCE_SECONDS
export const HEARTBEAT_MS = (SILENCE_SECONDS * 1000) / 3
const MONITOR_SECONDS = Math.max(1, Math.floor(SILENCE_SECONDS / 3))
const SETTINGS = {
  // Never reached: outcome.ts limits the retries, because pg-boss cannot end a job before its last retry.
  retryLimit: 10_000,
  retryDelay: 0,
  heartbeatSeconds: SILENCE_SECONDS,
  expireInSeconds: DAY_SECONDS - 1,
  deleteAfterSeconds: DAY_SECONDS,
}

/**
 * A job that this process has fetched from the queue. The queue can deliver a job again, for example when its process stops
 * sending heartbeats. `retryCount` identifies the delivery: only the process of the latest delivery can complete the job or
 * return it to the queue.
 */
export interface FetchedJob {
  id: string
  retryCount: number
  data: { failures?: number } | null
}

/** Returns the number of earlier attempts of a fetched job that ended with a failure of an outside service. */
export const failuresOf = ({ data }: FetchedJob): number => data?.failures ?? 0

/** Returns a fetched job with one more failure of an outside service. */
export const withFailure = (job: FetchedJob): FetchedJob => ({ ...job, data: { failures: failuresOf(job) + 1 } })

let boss: PgBoss | undefined

function started(): PgBoss {
  if (!boss) throw new Error('The job queue is not started.')
  return boss
}

const inside = (tx: Tx) => ({ db: fromDrizzle(tx, sql) })

/**
 * Starts pg-boss in the schema `pgboss`, with one queue per kind of job. pg-boss delivers and delays jobs and monitors
 * heartbeats.
 */
export async function startBoss(): Promise<void> {
  const { connection, embedded } = database()
  boss = new PgBoss({
    ...connection,
    schema: 'pgboss',
    backend: embedded ? 'pglite' : 'postgres',
    max: 2,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
    superviseIntervalSeconds: MONITOR_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue reports an error'))
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'))
  await boss.start()
  for (const name of JOB_KINDS) {
    await boss.createQueue(name, SETTINGS)
    // Loads the queue into pg-boss's cache: a cache miss inside our transaction would deadlock.
    await boss.fetch(name, { batchSize: 1, minPriority: 1_000_000 })
  }
}

/** Stops pg-boss. Does not wait for running jobs. */
export async function stopBoss(): Promise<void> {
  await boss?.stop({ graceful: false })
  boss = undefined
}

/**
 * Adds waiting jobs to the queue. A job that is already in the queue stays unchanged. `turn` is the number of jobs of the
 * same user before the job. Jobs with the lowest turn are delivered first, the oldest of them first, so that users are served
 * in turn. Jobs are not delivered before `delaySeconds` have passed. Must run as the database role that owns the tables.
 */
export async function send(
  tx: Tx,
  kind: JobKind,
  jobs: readonly { id: string; turn: number }[],
  delaySeconds = 0,
): Promise<void> {
  const startAfter = delaySeconds > 0 ? { startAfter: delaySeconds } : {}
  const waiting = jobs.map(({ id, turn }) => ({
    id,
    priority: -turn,
    retentionSeconds: RETENTION_SECONDS,
    ...startAfter,
  }))
  await started().insert(kind, waiting, inside(tx))
}

/**
 * Ends the delay of a job, so that it can be delivered at once. A job that is not in the queue stays unchanged. Must run as
 * the database role that owns the tables.
 */
export async function endDelay(tx: Tx, kind: JobKind, id: string): Promise<void> {
  await started().update(kind, undefined, { id, startAfter: 0, ...inside(tx) })
}

/** Fetches up to `limit` waiting jobs of a kind. If the transaction rolls back, the jobs return to the queue. */
export const fetchJobs = (tx: Tx, kind: JobKind, limit: number): Promise<FetchedJob[]> =>
  started().fetch(kind, { batchSize: limit, ...inside(tx) })

/**
 * Reports to the queue that a fetched job is still running, so that the queue does not deliver it to another process. Returns
 * false if the job was removed or delivered to another process.
 */
export async function heartbeat(kind: JobKind, job: FetchedJob): Promise<boolean> {
  const { affected } = (await started().touch(kind, job)) as { affected?: number }
  return affected !== 0
}

/** Marks fetched jobs as completed in the queue, so that they are not delivered again. */
export async function complete(tx: Tx, kind: JobKind, jobs: FetchedJob | FetchedJob[]): Promise<void> {
  await started().complete(kind, jobs, null, inside(tx))
}

/** Removes fetched jobs from the queue. `send` can add them again. */
export async function withdraw(tx: Tx, kind: JobKind, ids: string[]): Promise<void> {
  await started().deleteJob(kind, ids, inside(tx))
}

/**
 * Returns a fetched job to the queue, which delivers it again after `seconds`. The job keeps its `data`, the number of earlier
 * failures.
 */
export async function requeue(tx: Tx, kind: JobKind, job: FetchedJob, seconds = 0): Promise<void> {
  await started().fail(kind, job, null, inside(tx))
  if (seconds > 0)
    await started().update(kind, job.data ?? undefined, {
      id: job.id,
      startAfter: Math.ceil(seconds),
      ...inside(tx),
    })
}

/**
 * Returns to the queue the jobs that a killed process had fetched. Use it only if no other process runs. The embedded database
 * ensures this, because only one process can open it.
 */
export async function requeueAbandoned(kind: JobKind, ids: string[]): Promise<void> {
  if (ids.length > 0) await started().fail(kind, ids)
}
