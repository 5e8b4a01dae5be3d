import { asActor } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import type { ListedJob } from '#shared/contract/jobs.ts'
import { findJobRow, type JobFilter, listJobRows } from './queries.ts'

/**
 * Returns a page of jobs (the first page is 1), newest first: the jobs of a document or project, or the caller's own jobs if
 * the filter contains neither. Jobs that ended more than a week ago have been deleted.
 */
export function listJobs(
  actor: Actor,
  filter: JobFilter,
  page: number,
  limit: number,
): Promise<{ data: ListedJob[]; count: number }> {
  return asActor(actor, (tx) => listJobRows(tx, actor.userId, filter, limit, (page - 1) * limit))
}

/** Returns a job of the caller, or of a project that the caller may read. Throws 'not_found'. */
export async function getJob(actor: Actor, id: string): Promise<ListedJob> {
  const job = await asActor(actor, (tx) => findJobRow(tx, id))
  if (!job) throw notFound('Job')
  return job
}
