import { and, eq, ne, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { JOB_CANCELLED } from '#shared/contract/jobs.ts'

/** Condition: the job has failed and was not cancelled by its owner. */
export const isFailed = and(eq(jobs.status, 'failed'), ne(sql`coalesce(${jobs.error}, '')`, JOB_CANCELLED))

/**
 * Deletes a failed job from the list and returns it. Returns undefined if there is no such job, if it has not failed, or if its
 * owner cancelled it.
 */
export async function takeFailedJob(tx: Tx, id: string) {
  const [row] = await tx
    .delete(jobs)
    .where(and(eq(jobs.id, id), isFailed))
    .returning()
  return row
}
