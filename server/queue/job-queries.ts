import { and, eq, inArray, sql } from 'drizzle-orm'
import { asSystem, database, type Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import { insertEvents } from '#server/events/event-queries.ts'
import { CHANNELS } from '#server/events/listen.ts'
import { JOB_CANCELLED, type Job, type JobKind } from '#shared/contract/jobs.ts'

export type JobRow = typeof jobs.$inferSelect
type Change = Partial<typeof jobs.$inferInsert>

const isActive = inArray(jobs.status, ['queued', 'running'])
const now = sql`now()`

/** Returns the job as its owner sees it. */
export function presentJob(row: JobRow): Job {
  const { id, kind, status, progress, progress_text, error, result, document_id, project_id } = row
  const { created_at, updated_at } = row
  return { id, kind, status, progress, progress_text, error, result, document_id, project_id, created_at, updated_at }
}

/** Publishes a job's present state in its owner's event stream. */
export const publishJob = (tx: Tx, row: JobRow) =>
  insertEvents(tx, row.owner_id, [{ event: 'job', data: presentJob(row) }])

/** Publishes the end of a job, and notifies `waitForEnd`. */
export async function publishEnd(tx: Tx, row: JobRow): Promise<void> {
  await publishJob(tx, row)
  await tx.execute(sql`select pg_notify(${CHANNELS.ended}, ${row.id})`)
}

/** Wakes the workers of a kind at commit. */
export async function announceJob(tx: Tx, kind: JobKind): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANNELS.job}, ${kind})`)
}

/** Inserts a job. Returns undefined when the document has an active job of this kind. */
export async function insertJob(tx: Tx, values: typeof jobs.$inferInsert): Promise<JobRow | undefined> {
  const whereActive = sql`status in ('queued', 'running')`
  const target = [jobs.document_id, jobs.kind]
  const [row] = await tx.insert(jobs).values(values).onConflictDoNothing({ target, where: whereActive }).returning()
  return row
}

/** Returns whether the account is disabled. Jobs of a disabled account do not start. */
export async function isDisabledOwner(tx: Tx, ownerId: string): Promise<boolean> {
  const [row] = await tx.select({ at: profiles.disabled_at }).from(profiles).where(eq(profiles.id, ownerId))
  return Boolean(row?.at)
}

/** Returns the document's active job of a kind, and whether it has the same input. */
export async function findActiveJob(tx: Tx, documentId: string, kind: JobKind, input: unknown) {
  const isSame = sql<boolean>`${jobs.input} = ${JSON.stringify(input)}::jsonb`
  const isOfDocument = and(eq(jobs.document_id, documentId), eq(jobs.kind, kind), isActive)
  const [found] = await tx.select({ row: jobs, isSame }).from(jobs).where(isOfDocument)
  return found
}

export async function findJob(id: string): Promise<JobRow | undefined> {
  const [row] = await database().db.select().from(jobs).where(eq(jobs.id, id))
  return row
}

/** Returns the kinds with active jobs. */
export async function findActiveKinds(): Promise<JobKind[]> {
  const rows = await database().db.selectDistinct({ kind: jobs.kind }).from(jobs).where(isActive)
  return rows.map(({ kind }) => kind)
}

/** Returns the active jobs of an account. */
export const findActiveIds = (ownerId: string): Promise<{ id: string }[]> =>
  asSystem((tx) =>
    tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.owner_id, ownerId), isActive)),
  )

/** Returns the ids of the active jobs of each kind, and those that are running. */
export const findActiveByKind = (tx: Tx): Promise<{ kind: JobKind; ids: string[]; running: string[] }[]> => {
  const ids = sql<string[]>`array_agg(id::text)`
  const running = sql<string[]>`coalesce(array_agg(id::text) filter (where status = 'running'), '{}')`
  return tx.select({ kind: jobs.kind, ids, running }).from(jobs).where(isActive).groupBy(jobs.kind)
}

const isOneOf = (list: readonly { id: string }[]) =>
  inArray(
    jobs.id,
    list.map(({ id }) => id),
  )

/** Locks those of the jobs that are active. */
export const lockJobs = async (tx: Tx, list: readonly { id: string }[]): Promise<JobRow[]> =>
  list.length === 0
    ? []
    : tx
        .select()
        .from(jobs)
        .where(and(isOneOf(list), isActive))
        .for('update')

/** Marks the start of an attempt of each of the jobs. */
export async function beginAttempts(tx: Tx, list: readonly JobRow[]): Promise<JobRow[]> {
  if (list.length === 0) return []
  const attempt = sql`${jobs.attempt} + 1`
  const begun = { status: 'running', progress: 0, progress_text: null, error: null } as const
  const values = { ...begun, attempt, started_at: now, updated_at: now }
  return tx.update(jobs).set(values).where(isOneOf(list)).returning()
}

/** Updates a job that is running this attempt and is not cancelled. Returns undefined otherwise. */
export async function changeRunning(tx: Tx, { id, attempt }: JobRow, change: Change): Promise<JobRow | undefined> {
  const isOurs = and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, 'running'), sql`${jobs.error} is null`)
  const [row] = await tx
    .update(jobs)
    .set({ ...change, updated_at: now })
    .where(isOurs)
    .returning()
  return row
}

/** Returns whether the job still runs this attempt and is not cancelled. Locks the row until the transaction ends. */
export async function isStillRunning(tx: Tx, { id, attempt }: JobRow): Promise<boolean> {
  const [row] = await tx.select().from(jobs).where(eq(jobs.id, id)).for('update')
  return row?.status === 'running' && row.attempt === attempt && row.error === null
}

/** Marks an active job as failed. Returns undefined when it has ended or has begun another attempt. */
export async function failActive(
  tx: Tx,
  { id, attempt }: JobRow,
  error: string,
  result: JobRow['result'],
): Promise<JobRow | undefined> {
  const [row] = await tx
    .update(jobs)
    .set({ status: 'failed', error, result, progress_text: null, finished_at: now, updated_at: now })
    .where(and(eq(jobs.id, id), eq(jobs.attempt, attempt), isActive))
    .returning()
  return row
}

/** Marks an active job as cancelled and notifies the process that runs it. Returns undefined when it is not active. */
export async function markCancelled(tx: Tx, id: string, ownerId: string): Promise<JobRow | undefined> {
  const [row] = await tx
    .update(jobs)
    .set({ error: JOB_CANCELLED, updated_at: now })
    .where(and(eq(jobs.id, id), eq(jobs.owner_id, ownerId), isActive))
    .returning()
  if (row) await tx.execute(sql`select pg_notify(${CHANNELS.cancel}, ${id})`)
  return row
}

/**
 * Deletes the active jobs of an account, or of some of its documents, and notifies the processes that run them. Omits
 * rows that another transaction has locked.
 */
export async function deleteActiveJobs(tx: Tx, ownerId: string, documentIds?: readonly string[]): Promise<void> {
  const ofDocuments = documentIds ? sql`and document_id = any(${sql.param([...documentIds])}::uuid[])` : sql``
  await tx.execute(sql`with deleted as (
      delete from jobs where id in (
        select id from jobs where owner_id = ${ownerId} ${ofDocuments} and status in ('queued', 'running')
        for update skip locked) returning id
    ) select pg_notify(${CHANNELS.cancel}, id::text) from deleted`)
}

/** Deletes jobs that finished a week ago. */
export async function deleteOldJobs(): Promise<void> {
  await asSystem((tx) => tx.execute(sql`delete from jobs where finished_at < now() - interval '7 days'`))
}
