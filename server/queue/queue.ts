import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import { database, type Tx } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { JOB_KINDS, type JobKind } from '#shared/contract/jobs.ts'

/** Queue of permanently failed jobs, for operators. */
const DEAD_LETTERS = 'dead-letters'
const DAY = 24 * 3600
/** pg-boss would drop a waiting job after a fortnight. About sixty years. */
const KEPT_SECONDS = 2_000_000_000
/** A worker without a heartbeat for this long has lost its job. Heartbeats are three times as frequent. */
const SILENCE_SECONDS = env.JOB_SILENCE_SECONDS
export const HEARTBEAT_MS = (SILENCE_SECONDS * 1000) / 3
const WATCH_SECONDS = Math.max(1, Math.floor(SILENCE_SECONDS / 3))

/** A job that this process has fetched from the queue. */
export interface Taken {
  id: string
  /** Identifies the attempt: a call with an older count has no effect. */
  retryCount: number
}

let boss: PgBoss | undefined

function queue(): PgBoss {
  if (!boss) throw new Error('The job queue is not started.')
  return boss
}

/**
 * Starts pg-boss in the schema `pgboss`, with one queue per kind. pg-boss delivers and delays jobs and detects lost
 * workers. `run-job.ts` decides about retries, so pg-boss's own retry limit is never reached.
 */
export async function startQueue(): Promise<void> {
  const { connection, embedded } = database()
  boss = new PgBoss({
    ...connection,
    schema: 'pgboss',
    backend: embedded ? 'pglite' : 'postgres',
    max: 2,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
    superviseIntervalSeconds: WATCH_SECONDS,
    monitorIntervalSeconds: WATCH_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue reports an error'))
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'))
  await boss.start()
  const settings = {
    retryLimit: 10_000,
    retryDelay: 0,
    heartbeatSeconds: SILENCE_SECONDS,
    expireInSeconds: DAY - 1,
    deleteAfterSeconds: DAY,
  }
  for (const name of [...JOB_KINDS, DEAD_LETTERS]) {
    await boss.createQueue(name, name === DEAD_LETTERS ? {} : settings)
    // Loads the queue into pg-boss's cache: a cache miss inside our transaction would deadlock.
    await boss.fetch(name, { batchSize: 1, minPriority: 1_000_000 })
  }
}

export async function stopQueue(): Promise<void> {
  await boss?.stop({ graceful: false })
  boss = undefined
}

/** Enqueues a job in the transaction. Needs the role of the table owner. */
export async function put(tx: Tx, kind: JobKind, id: string): Promise<void> {
  if ((await queue().send(kind, {}, { id, retentionSeconds: KEPT_SECONDS, db: fromDrizzle(tx, sql) })) === null)
    throw new AppError('internal', 'The job could not be queued.')
}

/** Fetches up to `limit` waiting jobs of a kind. */
export async function take(kind: JobKind, limit: number): Promise<Taken[]> {
  const jobs = await queue().fetch(kind, { batchSize: limit })
  return jobs.map(({ id, retryCount }) => ({ id, retryCount }))
}

/** Sends a heartbeat. Returns false when the job was given to another process. */
export async function keep(kind: JobKind, taken: Taken): Promise<boolean> {
  const { affected } = (await queue().touch(kind, taken)) as { affected?: number }
  return affected !== 0
}

/** Removes a finished job from the queue. Users see the result in our own table. */
export async function end(tx: Tx, kind: JobKind, taken: Taken): Promise<void> {
  await queue().complete(kind, taken, null, { db: fromDrizzle(tx, sql) })
}

/** Returns a fetched job to the queue, with a delay in seconds. */
export async function putBack(tx: Tx, kind: JobKind, taken: Taken, seconds: number): Promise<void> {
  const db = fromDrizzle(tx, sql)
  await queue().fail(kind, taken, null, { db })
  if (seconds > 0) await queue().update(kind, undefined, { id: taken.id, startAfter: Math.ceil(seconds), db })
}

/** Deletes a job from the queue, waiting or active. */
export async function remove(tx: Tx, kind: JobKind, id: string): Promise<void> {
  await queue().cancel(kind, id, { db: fromDrizzle(tx, sql) })
}

/** Stores a copy of a permanently failed job for two weeks. */
export async function bury(
  tx: Tx,
  letter: { id: string; kind: JobKind; input: unknown; attempt: number; error: string },
): Promise<void> {
  await queue().send(DEAD_LETTERS, letter, { db: fromDrizzle(tx, sql) })
}

/**
 * Returns to the queue every job that a killed process of the embedded database had fetched. Only where the lock on the
 * data folder proves that no other process works on them.
 */
export async function putBackAll(): Promise<void> {
  const { rows } = await database().pool.query<{ name: JobKind; ids: string[] }>(
    `select name, array_agg(id::text) as ids from pgboss.job where state = 'active' and name = any($1) group by name`,
    [JOB_KINDS],
  )
  for (const { name, ids } of rows) await queue().fail(name, ids)
}
