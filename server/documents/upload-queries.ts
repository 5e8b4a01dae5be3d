import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { uploads } from '#server/db/tables/uploads.ts'

/** Inserts an upload (several files that a user uploads together) unless it exists. */
export async function insertUpload(tx: Tx, id: string, ownerId: string): Promise<void> {
  await tx.insert(uploads).values({ id, owner_id: ownerId }).onConflictDoNothing()
}

/** Pauses or resumes an upload. Returns undefined when it does not exist. */
export async function updateUpload(tx: Tx, id: string, is_paused: boolean) {
  const [row] = await tx
    .update(uploads)
    .set({ is_paused, running_since: sql`now()` })
    .where(eq(uploads.id, id))
    .returning({ id: uploads.id, is_paused: uploads.is_paused })
  return row
}

/**
 * Returns the queued and running automatic jobs of an upload's documents. Some can belong to other members, who started them.
 */
export function findUploadJobs(tx: Tx, uploadId: string): Promise<{ id: string; owner_id: string | null }[]> {
  return tx
    .select({ id: jobs.id, owner_id: jobs.owner_id })
    .from(jobs)
    .innerJoin(documents, eq(documents.id, jobs.document_id))
    .where(
      and(
        eq(documents.upload_id, uploadId),
        inArray(jobs.status, ['queued', 'running']),
        sql`${jobs.input} ->> 'automatic' = 'true'`,
      ),
    )
}
