import { asActor } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { findJobRow, type JobFilter, listJobRows } from './queries.ts'

/** Returns a page (from 1) of the caller's jobs, newest first. Jobs that finished more than a week ago are deleted. */
export function listJobs(
  actor: Actor,
  filter: JobFilter,
  page: number,
  limit: number,
): Promise<{ data: Job[]; count: number }> {
  return asActor(actor, (tx) => listJobRows(tx, filter, limit, (page - 1) * limit))
}

/** Returns a job of the caller. Throws 'Job not found'. */
export async function getJob(actor: Actor, id: string): Promise<Job> {
  const job = await asActor(actor, (tx) => findJobRow(tx, id))
  if (!job) throw notFound('Job')
  return job
}
