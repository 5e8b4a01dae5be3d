import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { asSystem, database, type Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { apiKeys } from '#server/db/tables/keys.ts'
import { insertEvents } from '#server/events/event-queries.ts'
import { CHANNELS } from '#server/events/listen.ts'
import type { Job, JobKind } from '#shared/contract/jobs.ts'
import { RIGHT_LOST } from './outcome.ts'

export type JobRow = typeof jobs.$inferSelect
type Change = Partial<typeof jobs.$inferInsert>

const isActive = inArray(jobs.status, ['queued', 'running'])
const now = sql`now()`

/** Returns the job as the API shows it. `is_own` is false if the caller is not the owner of the job. */
export function presentJob(row: JobRow, is_own = true): Job {
  const { id, kind, status, progress, progress_text, error, error_code, result } = row
  const { document_id, project_id, created_at, updated_at } = row
  const state = { id, kind, status, progress, progress_text, error, error_code, result }
  return { ...state, document_id, project_id, is_own, created_at, updated_at }
}

/** Publishes the current state of a job in the event stream of its owner. */
export const publishJob = (tx: Tx, row: JobRow) =>
  insertEvents(tx, { userId: row.owner_id }, [{ event: 'job', data: presentJob(row) }])

/** Publishes the end of a job, and notifies the calls of `waitForEnd`. */
export async function publishEnd(tx: Tx, row: JobRow): Promise<void> {
  await publishJob(tx, row)
  await tx.execute(sql`select pg_notify(${CHANNELS.ended}, ${row.id})`)
}

/** Notifies the workers of a kind at commit that a job is waiting. */
export async function announceJob(tx: Tx, kind: JobKind): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANNELS.job}, ${kind})`)
}

/** Inserts a job. Returns undefined when the document has an active job of this kind. */
export async function insertJob(tx: Tx, values: typeof jobs.$inferInsert): Promise<JobRow | undefined> {
  const whereActive = sql`status in ('queued', 'running')`
  const target = [jobs.document_id, jobs.kind]
  const [row] = await tx
    .insert(jobs)
    // The key can be deleted during a long job.
    .values({ ...values, key_id: sql`(select id from ${apiKeys} where id = ${values.key_id ?? null})` })
    .onConflictDoNothing({ target, where: whereActive })
    .returning()
  return row
}

/** Returns the active job of a document and kind, or undefined. `isSame`: its input equals `input`, except for `automatic`. */
export async function findActiveJob(tx: Tx, documentId: string, kind: JobKind, input: unknown) {
  const isSame = sql<boolean>`${jobs.input} - 'automatic' = ${JSON.stringify(input)}::jsonb - 'automatic'`
  const isOfDocument = and(eq(jobs.document_id, documentId), eq(jobs.kind, kind), isActive)
  const [found] = await tx.select({ row: jobs, isSame }).from(jobs).where(isOfDocument)
  return found
}

/**
 * Returns the state that the latest ended job of a kind of a document stored, so that a new job can continue its work. Returns
 * null if there is no such job, or if it was completed or has no state.
 */
export async function findFailedState(documentId: string, kind: JobKind): Promise<JobRow['state']> {
  const { status, state, finished_at } = jobs
  const ofDocument = and(eq(jobs.document_id, documentId), eq(jobs.kind, kind), isNotNull(finished_at))
  const rows = await asSystem((tx) =>
    tx.select({ status, state }).from(jobs).where(ofDocument).orderBy(desc(finished_at)).limit(1),
  )
  return rows[0]?.status === 'failed' ? rows[0].state : null
}

/** Deletes the state of a job (data that an attempt stores for the next attempt). */
export async function forgetState(tx: Tx, id: string): Promise<void> {
  await tx.update(jobs).set({ state: null }).where(eq(jobs.id, id))
}

/** Returns a job of any user, or undefined. */
export async function findJob(id: string): Promise<JobRow | undefined> {
  const [row] = await database().db.select().from(jobs).where(eq(jobs.id, id))
  return row
}

/** Returns the kinds of all queued and running jobs. */
export async function findActiveKinds(): Promise<JobKind[]> {
  const rows = await database().db.selectDistinct({ kind: jobs.kind }).from(jobs).where(isActive)
  return rows.map(({ kind }) => kind)
}

/** Returns the ids of the queued and running jobs of an account; with `projectId` only of the jobs in this project. */
export async function findActiveIds(ownerId: string, projectId?: string): Promise<string[]> {
  const inProject = projectId ? eq(jobs.project_id, projectId) : undefined
  const isTheirs = and(eq(jobs.owner_id, ownerId), inProject, isActive)
  const rows = await asSystem((tx) => tx.select({ id: jobs.id }).from(jobs).where(isTheirs))
  return rows.map(({ id }) => id)
}

/** Returns the ids of the queued and running jobs of each kind; `running` has the ids of the running jobs only. */
export const findActiveByKind = (tx: Tx): Promise<{ kind: JobKind; ids: string[]; running: string[] }[]> => {
  const ids = sql<string[]>`array_agg(id::text)`
  const running = sql<string[]>`coalesce(array_agg(id::text) filter (where status = 'running'), '{}')`
  return tx.select({ kind: jobs.kind, ids, running }).from(jobs).where(isActive).groupBy(jobs.kind)
}

/** Kinds for which users are served in turn: an import can queue thousands of jobs. Other jobs run in order of request. */
const BY_TURNS: ReadonlySet<JobKind> = new Set(['fetch'])

/** Returns the turn of each job: the number of earlier waiting jobs of the same user and kind; 0 for kinds not in BY_TURNS. */
export async function findTurns(
  tx: Tx,
  kind: JobKind,
  ids: readonly string[],
): Promise<{ id: string; turn: number }[]> {
  if (!BY_TURNS.has(kind) || ids.length === 0) return ids.map((id) => ({ id, turn: 0 }))
  const given = sql`${sql.param([...ids])}::uuid[]`
  const { rows } = await tx.execute<{ id: string; turn: number }>(sql`
    with own as (select id, created_by, created_at from ${jobs} where id = any (${given})),
    others as (
      select created_by, count(*) as n from ${jobs}
      where status = 'queued' and kind = ${kind} and created_by in (select created_by from own) and id <> all (${given})
      group by created_by)
    select own.id, (coalesce(others.n, 0) - 1
      + row_number() over (partition by own.created_by order by own.created_at, own.id))::int as turn
    from own left join others using (created_by)`)
  return rows
}

const hasIdOf = (list: readonly { id: string }[]) =>
  inArray(
    jobs.id,
    list.map(({ id }) => id),
  )

/**
 * Returns the given jobs that are queued or running, and locks their rows, in the order of `lockActiveJobs`, until the
 * transaction ends.
 */
export const lockJobs = async (tx: Tx, list: readonly { id: string }[]): Promise<JobRow[]> => {
  if (list.length === 0) return []
  const isListed = and(hasIdOf(list), isActive)
  return tx.select().from(jobs).where(isListed).orderBy(jobs.id).for('update')
}

/** Sets each of the jobs to 'running' and increments its attempt. Returns the changed rows. */
export async function beginAttempts(tx: Tx, list: readonly JobRow[]): Promise<JobRow[]> {
  if (list.length === 0) return []
  const attempt = sql`${jobs.attempt} + 1`
  const begun = { status: 'running', progress: 0, progress_text: null, error: null } as const
  const values = { ...begun, attempt, started_at: now, updated_at: now }
  return tx.update(jobs).set(values).where(hasIdOf(list)).returning()
}

/** Updates a job if it runs the attempt `attempt` and is not cancelled. Returns the changed row, else undefined. */
export async function changeRunning(tx: Tx, { id, attempt }: JobRow, change: Change): Promise<JobRow | undefined> {
  const isOurs = and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, 'running'), sql`${jobs.error} is null`)
  const [row] = await tx
    .update(jobs)
    .set({ ...change, updated_at: now })
    .where(isOurs)
    .returning()
  return row
}

/** Marks an active job as failed. Returns undefined if the job has ended or its current attempt is not `attempt`. */
export async function failActive(
  tx: Tx,
  { id, attempt }: JobRow,
  failure: Pick<JobRow, 'error' | 'error_code' | 'result'>,
): Promise<JobRow | undefined> {
  const [row] = await tx
    .update(jobs)
    .set({ ...failure, status: 'failed', progress_text: null, finished_at: now, updated_at: now })
    .where(and(eq(jobs.id, id), eq(jobs.attempt, attempt), isActive))
    .returning()
  return row
}

/**
 * Returns true if the account of a job may no longer edit the project of the job. Then also sets the `error` of the job, unless
 * the job has ended, has an error or runs another attempt than `attempt`. Returns false for a job without a project.
 */
export async function markRightLost({ id, attempt }: JobRow): Promise<boolean> {
  const { rows } = await asSystem((tx) =>
    tx.execute(sql`with lost as (
        select j.id from jobs j where j.id = ${id} and j.project_id is not null and not exists (
          select from project_members m
          where m.project_id = j.project_id and m.user_id = j.created_by and 'edit' = any (app_rights(m.role)))
      ), marked as (
        update jobs set error = ${RIGHT_LOST}
        where id in (select id from lost) and attempt = ${attempt} and status in ('queued', 'running') and error is null)
      select from lost`),
  )
  return rows.length > 0
}

/**
 * Requests the end of a queued or running job: sets its `error`, and notifies the process that runs it, so that it is aborted.
 * Does not change the status. Returns undefined if the account has no such job.
 */
export async function markEnded(tx: Tx, id: string, ownerId: string, error: string): Promise<JobRow | undefined> {
  const [row] = await tx
    .update(jobs)
    .set({ error, updated_at: now })
    .where(and(eq(jobs.id, id), eq(jobs.owner_id, ownerId), isActive))
    .returning()
  if (row) await tx.execute(sql`select pg_notify(${CHANNELS.cancel}, ${id})`)
  return row
}

/** Selects the jobs of an account, or the jobs of documents, which can belong to several accounts. */
export type JobsOf = { ownerId: string } | { documentIds: readonly string[] }

const activeOf = (of: JobsOf) =>
  sql`status in ('queued', 'running') and ${
    'ownerId' in of
      ? sql`created_by = ${of.ownerId}`
      : sql`document_id = any(${sql.param([...of.documentIds])}::uuid[])`
  }`

/** Locks the active jobs of an account or of documents until the transaction ends. */
export async function lockActiveJobs(tx: Tx, of: JobsOf): Promise<void> {
  await tx.execute(sql`select from jobs where ${activeOf(of)} order by id for update`)
}

/**
 * Deletes active jobs and notifies the processes that run them. Omits rows that another transaction has locked.
 */
export async function deleteActiveJobs(tx: Tx, of: JobsOf): Promise<void> {
  await tx.execute(sql`with deleted as (
      delete from jobs where id in (
        select id from jobs where ${activeOf(of)} for update skip locked) returning id
    ) select pg_notify(${CHANNELS.cancel}, id::text) from deleted`)
}

/** Deletes the jobs of an account that belong to no project. */
export async function deleteJobsWithoutProject(tx: Tx, ownerId: string): Promise<void> {
  await tx.delete(jobs).where(and(isNull(jobs.project_id), eq(jobs.owner_id, ownerId)))
}

/** Deletes jobs that finished more than a week ago. */
export async function deleteOldJobs(): Promise<void> {
  await asSystem((tx) => tx.execute(sql`delete from jobs where finished_at < now() - interval '7 days'`))
}
