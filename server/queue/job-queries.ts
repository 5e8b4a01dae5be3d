import { and, eq, inArray, sql } from 'drizzle-orm'
import { asSystem, type Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import { CHANNELS } from '#server/events/listen.ts'
import { JOB_CANCELLED, type Job, type JobKind } from '#shared/contract/jobs.ts'

export type JobRow = typeof jobs.$inferSelect

const ACTIVE = ['queued', 'running'] as const
const isActive = inArray(jobs.status, [...ACTIVE])
const now = sql`now()`

/** Returns the job as its owner sees it. */
export function presentJob(row: JobRow): Job {
  const { id, kind, status, progress, progress_text, error, result, document_id, project_id, created_at, updated_at } =
    row
  return { id, kind, status, progress, progress_text, error, result, document_id, project_id, created_at, updated_at }
}

/** Inserts a job. Returns undefined when the document has an active job of this kind. */
export async function insertJob(tx: Tx, values: typeof jobs.$inferInsert): Promise<JobRow | undefined> {
  const [row] = await tx
    .insert(jobs)
    .values(values)
    .onConflictDoNothing({ target: [jobs.document_id, jobs.kind], where: sql`status in ('queued', 'running')` })
    .returning()
  return row
}

/** Returns whether the account is disabled. Jobs of a disabled account do not start. */
export async function isDisabledOwner(tx: Tx, ownerId: string): Promise<boolean> {
  const [row] = await tx.select({ at: profiles.disabled_at }).from(profiles).where(eq(profiles.id, ownerId))
  return Boolean(row?.at)
}

/** Returns the document's active job of a kind, and whether it has the same input. */
export async function findActiveJob(tx: Tx, documentId: string, kind: JobKind, input: unknown) {
  const [found] = await tx
    .select({ row: jobs, isSame: sql<boolean>`${jobs.input} = ${JSON.stringify(input)}::jsonb` })
    .from(jobs)
    .where(and(eq(jobs.document_id, documentId), eq(jobs.kind, kind), isActive))
  return found
}

/** Wakes the workers of a kind at commit. */
export async function announceJob(tx: Tx, kind: JobKind): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANNELS.job}, ${kind})`)
}

export async function findJob(id: string): Promise<JobRow | undefined> {
  const [row] = await asSystem((tx) => tx.select().from(jobs).where(eq(jobs.id, id)))
  return row
}

export async function lockJob(tx: Tx, id: string): Promise<JobRow | undefined> {
  const [row] = await tx.select().from(jobs).where(eq(jobs.id, id)).for('update')
  return row
}

/** Marks the start of an attempt. */
export async function beginAttempt(tx: Tx, id: string): Promise<JobRow> {
  const [row] = await tx
    .update(jobs)
    .set({
      status: 'running',
      attempt: sql`${jobs.attempt} + 1`,
      progress: 0,
      progress_text: null,
      error: null,
      started_at: now,
      updated_at: now,
    })
    .where(eq(jobs.id, id))
    .returning()
  return row!
}

/** Updates a job that is running this attempt and is not cancelled. Returns undefined otherwise. */
export async function changeRunning(
  tx: Tx,
  id: string,
  attempt: number,
  change: Partial<typeof jobs.$inferInsert>,
): Promise<JobRow | undefined> {
  const [row] = await tx
    .update(jobs)
    .set({ ...change, updated_at: now })
    .where(and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, 'running'), sql`${jobs.error} is null`))
    .returning()
  return row
}

/** Returns whether the job still runs this attempt and is not cancelled. Locks the row until the transaction ends. */
export async function isStillRunning(tx: Tx, id: string, attempt: number): Promise<boolean> {
  const row = await lockJob(tx, id)
  return row?.status === 'running' && row.attempt === attempt && row.error === null
}

/** Marks an active job as failed. Returns undefined when it has finished. */
export async function failActive(
  tx: Tx,
  id: string,
  error: string,
  result: Record<string, unknown> | null,
): Promise<JobRow | undefined> {
  const [row] = await tx
    .update(jobs)
    .set({ status: 'failed', error, result, progress_text: null, finished_at: now, updated_at: now })
    .where(and(eq(jobs.id, id), isActive))
    .returning()
  return row
}

/**
 * Marks an active job as cancelled and notifies the process that runs it. Returns undefined when it has finished or
 * does not exist.
 */
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
 * Returns active jobs that no process will finish: their cancellation was interrupted, or the queue has lost them. The
 * ordinary way takes less than half a minute and a minute respectively.
 */
export async function findStrandedJobs(): Promise<JobRow[]> {
  return asSystem((tx) =>
    tx
      .select()
      .from(jobs)
      .where(
        and(
          isActive,
          sql`((${jobs.error} = ${JOB_CANCELLED} and ${jobs.updated_at} < now() - interval '30 seconds')
            or (${jobs.updated_at} < now() - interval '1 minute' and not exists (
              select 1 from pgboss.job waiting where waiting.name = ${jobs.kind} and waiting.id = ${jobs.id}
              and waiting.state in ('created', 'retry', 'active'))))`,
        ),
      ),
  )
}

/** Deletes jobs that finished a week ago. */
export async function deleteOldJobs(): Promise<void> {
  await asSystem((tx) => tx.execute(sql`delete from jobs where finished_at < now() - interval '7 days'`))
}

/** Returns the active jobs of an account. */
export function listActive(tx: Tx, ownerId: string): Promise<Pick<JobRow, 'id' | 'kind'>[]> {
  return tx
    .select({ id: jobs.id, kind: jobs.kind })
    .from(jobs)
    .where(and(eq(jobs.owner_id, ownerId), isActive))
}

/** Deletes the active jobs of documents and notifies the processes that run them. Skips rows that are locked. */
export async function takeActiveOf(tx: Tx, ownerId: string, documentIds: readonly string[]) {
  const { rows } = await tx.execute<Pick<JobRow, 'id' | 'kind'>>(
    sql`with taken as (
      delete from jobs where id in (
        select id from jobs where owner_id = ${ownerId} and document_id = any(${sql.param([...documentIds])}::uuid[])
        and status in ('queued', 'running') for update skip locked) returning id, kind
    ) select id, kind, pg_notify(${CHANNELS.cancel}, id::text) from taken`,
  )
  return rows
}
