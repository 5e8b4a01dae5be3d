import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { JOB_CANCELLED, JOB_PAUSED, type JobKind } from '#shared/contract/jobs.ts'
import type { JobRow } from './job-queries.ts'

const now = sql`now()`
const isQueued = eq(jobs.status, 'queued')

/** Condition: the job is a part of the automatic processing of a document, and the upload of the document is paused. */
export const isPausedJob = sql`(coalesce(${jobs.input} ->> 'automatic', '') = 'true' and exists (select from documents d
  join uploads u on u.id = d.upload_id and u.owner_id = d.created_by
  where d.id = ${jobs.document_id} and u.is_paused))`

/**
 * Returns the ids of the jobs in `list` that are part of the automatic processing of a paused upload. Omits cancelled jobs,
 * which must end. Locks the uploads until the transaction ends, so that no upload is resumed meanwhile. Omits the jobs of an
 * upload that another transaction is pausing or resuming: a resumption waits for rows of the queue that this transaction has
 * locked, so a wait for it would deadlock.
 */
export async function findPaused(tx: Tx, list: readonly JobRow[]): Promise<Set<string>> {
  const automatic = list.filter(({ input, error }) => input['automatic'] === true && error === null)
  if (automatic.length === 0) return new Set()
  const { rows } = await tx.execute<{ id: string }>(sql`select j.id from jobs j
    join documents d on d.id = j.document_id join uploads u on u.id = d.upload_id and u.owner_id = d.created_by
    where u.is_paused and j.id = any(${sql.param(automatic.map(({ id }) => id))}::uuid[]) for share of u skip locked`)
  return new Set(rows.map(({ id }) => id))
}

/** Sets the progress text JOB_PAUSED of jobs that do not have it. Returns the changed jobs. */
export async function markPaused(tx: Tx, ids: readonly string[]): Promise<JobRow[]> {
  const isNew = sql`${jobs.progress_text} is distinct from ${JOB_PAUSED}`
  return tx
    .update(jobs)
    .set({ progress_text: JOB_PAUSED, updated_at: now })
    .where(and(inArray(jobs.id, [...ids]), isNew))
    .returning()
}

/** Removes the progress text JOB_PAUSED of jobs. Returns the changed jobs. */
export async function unmarkPaused(tx: Tx, ids: readonly string[]): Promise<JobRow[]> {
  return tx
    .update(jobs)
    .set({ progress_text: null, updated_at: now })
    .where(and(inArray(jobs.id, [...ids]), isQueued, eq(jobs.progress_text, JOB_PAUSED)))
    .returning()
}

/** Returns the ids of the given jobs that are queued, grouped by kind. */
export async function findWaiting(tx: Tx, ids: readonly string[]): Promise<{ kind: JobKind; ids: string[] }[]> {
  if (ids.length === 0) return []
  return tx
    .select({ kind: jobs.kind, ids: sql<string[]>`array_agg(id::text)` })
    .from(jobs)
    .where(and(inArray(jobs.id, [...ids]), isQueued))
    .groupBy(jobs.kind)
}

/**
 * Cancels the queued automatic jobs of a document that a requested job of `kind` replaces: those of the other `kinds`, and
 * those of the same kind if the upload of the document is paused. Returns the cancelled jobs.
 */
export async function endReplacedJobs(
  tx: Tx,
  documentId: string,
  kind: JobKind,
  kinds: readonly JobKind[],
): Promise<JobRow[]> {
  const cancelled = { status: 'failed', error: JOB_CANCELLED, progress_text: null } as const
  const isOfDocument = and(eq(jobs.document_id, documentId), inArray(jobs.kind, [...kinds]))
  // Its text would replace the requested text later.
  const isOtherKind = and(ne(jobs.kind, kind), sql`${jobs.input} ->> 'automatic' = 'true'`)
  return tx
    .update(jobs)
    .set({ ...cancelled, finished_at: now, updated_at: now })
    .where(and(isOfDocument, isQueued, isNull(jobs.error), or(isPausedJob, isOtherKind)))
    .returning()
}

/**
 * Records that a user has requested the same step as an automatic job, so that a pause of the upload does not stop the job.
 * `key` is the id of the API key of the request. If it is null, a queued job is no longer restricted by the API key that
 * started it.
 */
export async function markRequested(tx: Tx, id: string, key: string | null): Promise<void> {
  if (key === null)
    await tx
      .update(jobs)
      .set({ key_id: null })
      .where(and(eq(jobs.id, id), eq(jobs.status, 'queued')))
  const input = sql`jsonb_set(${jobs.input}, '{automatic}', '"requested"')`
  await tx
    .update(jobs)
    .set({ input })
    .where(and(eq(jobs.id, id), sql`${jobs.input} ->> 'automatic' = 'true'`))
}
