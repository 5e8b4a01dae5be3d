import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { mayIn } from '#server/members/index.ts'
import type { JobKind, ListedJob } from '#shared/contract/jobs.ts'

const columns = {
  id: jobs.id,
  kind: jobs.kind,
  status: jobs.status,
  progress: jobs.progress,
  progress_text: jobs.progress_text,
  error: jobs.error,
  error_code: jobs.error_code,
  result: jobs.result,
  document_id: jobs.document_id,
  project_id: jobs.project_id,
  is_own: sql<boolean>`(${jobs.owner_id} is not distinct from app_user_id())`,
  created_at: jobs.created_at,
  updated_at: jobs.updated_at,
  may: mayIn(sql`${jobs}.project_id`),
}

/** Filter of the list of jobs. A job must meet all conditions that are set. */
export interface JobFilter {
  document_id?: string | undefined
  project_id?: string | undefined
  active?: 'true' | undefined
  kind?: JobKind | undefined
}

/**
 * Returns a page of jobs, newest first (active jobs: those that run first), and their total number: the jobs of a document or
 * project, or the user's own jobs if the filter contains neither.
 */
export async function listJobRows(
  tx: Tx,
  userId: string,
  filter: JobFilter,
  limit: number,
  offset: number,
): Promise<{ data: ListedJob[]; count: number }> {
  const where = and(
    filter.document_id || filter.project_id ? undefined : eq(jobs.owner_id, userId),
    filter.document_id ? eq(jobs.document_id, filter.document_id) : undefined,
    filter.project_id ? eq(jobs.project_id, filter.project_id) : undefined,
    filter.kind ? eq(jobs.kind, filter.kind) : undefined,
    filter.active ? inArray(jobs.status, ['queued', 'running']) : undefined,
  )
  const data = await tx
    .select(columns)
    .from(jobs)
    .where(where)
    .orderBy(...(filter.active ? [sql`${jobs.status} = 'running' desc`] : []), desc(jobs.created_at), jobs.id)
    .limit(limit)
    .offset(offset)
  const [counted] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(jobs)
    .where(where)
  return { data, count: counted!.count }
}

/** Returns a job that the caller may see, or undefined. */
export async function findJobRow(tx: Tx, id: string): Promise<ListedJob | undefined> {
  const [row] = await tx.select(columns).from(jobs).where(eq(jobs.id, id))
  return row
}
