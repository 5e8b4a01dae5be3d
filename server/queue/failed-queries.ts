import { and, eq, ne, not, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { JOB_CANCELLED } from '#shared/contract/jobs.ts'

/**
 * Condition: a retry of the job would replace a newer result. A job that was completed after the request of this job did the
 * same step of the document; or this job would read the text layer, and the document is 'completed', so it has another text.
 */
const isSuperseded = sql`(exists (select from ${jobs} later
    where later.document_id = ${jobs}.document_id and later.status = 'completed' and later.finished_at > ${jobs}.created_at
      and (later.kind = ${jobs}.kind or later.kind in ('extract', 'ocr') and ${jobs}.kind in ('extract', 'ocr')))
  or ${jobs}.kind = 'extract' and exists (select from ${documents} paper
    where paper.id = ${jobs}.document_id and paper.status = 'completed'))`

/** Condition: the job has failed, its owner did not cancel it, and no later work has replaced it. */
export const isFailed = and(
  eq(jobs.status, 'failed'),
  ne(sql`coalesce(${jobs.error}, '')`, JOB_CANCELLED),
  not(isSuperseded),
)

/**
 * Deletes a failed job from the list and returns it. Returns undefined if there is no such job, if it has not failed, if its
 * owner cancelled it, or if later work has replaced it.
 */
export async function takeFailedJob(tx: Tx, id: string) {
  const [row] = await tx
    .delete(jobs)
    .where(and(eq(jobs.id, id), isFailed))
    .returning()
  return row
}
