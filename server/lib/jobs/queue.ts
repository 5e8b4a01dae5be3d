import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import { database, type Tx } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { JOB_KINDS, type JobKind } from '#shared/jobs.ts'

/** Where failed jobs are kept for whoever looks after the server. */
const DEAD_LETTERS = 'dead-letters'
const DAY = 24 * 3600
/** A job that waits is kept, whatever the clock says: pg-boss would drop it after a fortnight. Some sixty years. */
const KEPT_SECONDS = 2_000_000_000
/** A worker that has been silent for that long has lost its job; it says three times as often that it is alive. */
const SILENCE_SECONDS = env.JOB_SILENCE_SECONDS
export const HEARTBEAT_MS = (SILENCE_SECONDS * 1000) / 3
const WATCH_SECONDS = Math.max(1, Math.floor(SILENCE_SECONDS / 3))

/** A job that this process has taken out of the queue. */
export interface Taken {
  id: string
  /** Which taking it is: a call with an older one changes nothing. */
  retryCount: number
}

let boss: PgBoss | undefined

function queue(): PgBoss {
  if (!boss) throw new Error('The job queue is not started.')
  return boss
}

/**
 * Starts pg-boss in the schema `pgboss`, with a queue for each kind. It delivers, watches over workers that vanish and
 * delays; how often a job is tried again is decided by `run-job.ts`, so its own limit is out of reach.
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
    // Puts the queue into pg-boss's cache: a question asked inside our transaction would wait for its own end.
    await boss.fetch(name, { batchSize: 1, minPriority: 1_000_000 })
  }
}

export async function stopQueue(): Promise<void> {
  await boss?.stop({ graceful: false })
  boss = undefined
}

/** Puts a job in, in the transaction. The role must be the owner's. */
export async function put(tx: Tx, kind: JobKind, id: string): Promise<void> {
  if ((await queue().send(kind, {}, { id, retentionSeconds: KEPT_SECONDS, db: fromDrizzle(tx, sql) })) === null)
    throw new AppError('internal', 'The job could not be queued.')
}

/** Takes up to `limit` waiting jobs of a kind out. */
export async function take(kind: JobKind, limit: number): Promise<Taken[]> {
  const jobs = await queue().fetch(kind, { batchSize: limit })
  return jobs.map(({ id, retryCount }) => ({ id, retryCount }))
}

/** Tells the queue that the job is being worked on; false when the job was given to somebody else meanwhile. */
export async function keep(kind: JobKind, taken: Taken): Promise<boolean> {
  const { affected } = (await queue().touch(kind, taken)) as { affected?: number }
  return affected !== 0
}

/** Ends a job in the queue, well or not: what people see of it stands in our table. */
export async function end(tx: Tx, kind: JobKind, taken: Taken): Promise<void> {
  await queue().complete(kind, taken, null, { db: fromDrizzle(tx, sql) })
}

/** Puts a taken job back, to be taken again after so many seconds. */
export async function putBack(tx: Tx, kind: JobKind, taken: Taken, seconds: number): Promise<void> {
  const db = fromDrizzle(tx, sql)
  await queue().fail(kind, taken, null, { db })
  if (seconds > 0) await queue().update(kind, undefined, { id: taken.id, startAfter: Math.ceil(seconds), db })
}

/** Takes a job out for good, waiting or being worked on. */
export async function remove(tx: Tx, kind: JobKind, id: string): Promise<void> {
  await queue().cancel(kind, id, { db: fromDrizzle(tx, sql) })
}

/** Keeps a copy of a job that failed for good, for two weeks. */
export async function bury(
  tx: Tx,
  letter: { id: string; kind: JobKind; input: unknown; attempt: number; error: string },
): Promise<void> {
  await queue().send(DEAD_LETTERS, letter, { db: fromDrizzle(tx, sql) })
}

/**
 * Puts back every job that a killed process of the embedded database had taken. Only where the lock on the data folder
 * proves that no other process works on them.
 */
export async function putBackAll(): Promise<void> {
  const { rows } = await database().pool.query<{ name: JobKind; ids: string[] }>(
    `select name, array_agg(id::text) as ids from pgboss.job where state = 'active' and name = any($1) group by name`,
    [JOB_KINDS],
  )
  for (const { name, ids } of rows) await queue().fail(name, ids)
}
