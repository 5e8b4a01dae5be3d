import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { uploads } from '#server/db/tables/uploads.ts'
import { mayIn } from '#server/members/index.ts'
import type { UploadState } from '#shared/contract/processing.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'

/** Inserts an upload (several files that a user uploads together) unless it exists. */
export async function insertUpload(tx: Tx, id: string, ownerId: string): Promise<void> {
  await tx.insert(uploads).values({ id, owner_id: ownerId }).onConflictDoNothing()
}

/** Condition: the document `d` belongs to the upload `u`. */
const isOfUpload = sql`d.upload_id = u.id and d.created_by = u.owner_id and d.deleted_at is null`

/** Condition: the caller may edit the document `d`. */
const mayEdit = sql`(case when d.project_id is null then d.created_by = app_user_id()
  else d.project_id = any(array(select app_projects('edit'))) end)`

/**
 * Condition: the caller may pause and resume the upload `u`. The caller must have the right to edit one of its documents, or
 * all of them if another account uploaded them.
 */
const mayChange = sql`(exists (select from documents d where ${isOfUpload} and ${mayEdit})
  and (u.owner_id = app_user_id() or not exists (select from documents d where ${isOfUpload} and not ${mayEdit})))`

/** Returns the different sets of rights that the caller has in the projects of an upload's documents. */
export function listUploadRights(tx: Tx, id: string): Promise<{ may: ProjectRight[] }[]> {
  return tx
    .selectDistinct({ may: mayIn(sql`${documents}.project_id`) })
    .from(documents)
    .where(eq(documents.upload_id, id))
}

/**
 * Pauses or resumes an upload. Returns undefined when the upload does not exist, or the caller may not change it. Only the
 * database role that owns the tables finds the uploads of other accounts.
 */
export async function updateUpload(tx: Tx, id: string, is_paused: boolean): Promise<UploadState | undefined> {
  const { rows } = await tx.execute<UploadState>(sql`update ${uploads} u
    set is_paused = ${is_paused}, running_since = now() where u.id = ${id}::uuid and ${mayChange}
    returning u.id, u.is_paused`)
  return rows[0]
}

/**
 * Returns the paused uploads that have documents in the project with a queued automatic job, oldest upload first. Must run as
 * the database role that owns the tables.
 */
export async function findPausedUploads(tx: Tx, projectId: string) {
  const { rows } = await tx.execute<{ id: string; owner_id: string; is_own: boolean; may_resume: boolean }>(sql`
    select u.id, u.owner_id, u.owner_id = app_user_id() as is_own, ${mayChange} as may_resume from ${uploads} u
    where u.is_paused and exists (
      select from ${jobs} j join documents d on d.id = j.document_id
      where ${isOfUpload} and d.project_id = ${projectId}::uuid and j.status = 'queued'
        and j.input ->> 'automatic' = 'true')
    order by u.created_at, u.id`)
  return rows
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
        sql`${jobs.input} ? 'automatic'`,
      ),
    )
}
