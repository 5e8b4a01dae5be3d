import { and, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import type { TextWarning } from '#shared/contract/documents.ts'

/** The columns that a run needs: names and completed steps, without the long texts. */
export interface ProcessedDocument {
  id: string
  project_id: string | null
  title: string | null
  filename: string
  has_text: boolean
  extraction_method: string | null
  text_warning: TextWarning | null
  analyzed_at: string | null
  vectorized_at: string | null
}

/** Returns those of the documents that exist and belong to the caller. */
export function findProcessedDocuments(tx: Tx, ids: readonly string[]): Promise<ProcessedDocument[]> {
  return tx
    .select({
      id: documents.id,
      project_id: documents.project_id,
      title: documents.title,
      filename: documents.filename,
      has_text: sql<boolean>`${documents.extracted_text} is not null`,
      extraction_method: documents.extraction_method,
      text_warning: documents.text_warning,
      analyzed_at: documents.analyzed_at,
      vectorized_at: documents.vectorized_at,
    })
    .from(documents)
    .where(inArray(documents.id, [...ids]))
}

/** Time for which a changed document counts as open: between two steps it has no job for a moment. */
const BETWEEN_STEPS = sql`interval '10 seconds'`

const addedSince = (projectId: string, since: string | undefined) =>
  and(eq(documents.project_id, projectId), since === undefined ? undefined : gte(documents.created_at, since))

/** Counts the documents of a project that were added since a time: ready, open and failed ones. */
export async function countProgress(tx: Tx, projectId: string, since: string | undefined) {
  const isReady = sql`${documents.vectorized_at} is not null`
  const isFailed = sql`${documents.status} = 'error'`
  const hasWork = sql`(${documents.updated_at} > now() - ${BETWEEN_STEPS} or exists (select 1 from ${jobs}
    where ${jobs.document_id} = ${documents.id} and ${jobs.status} in ('queued', 'running')))`
  const [row] = await tx
    .select({
      total: sql<number>`count(*)::int`,
      ready: sql<number>`(count(*) filter (where ${isReady}))::int`,
      failed: sql<number>`(count(*) filter (where not ${isReady} and ${isFailed}))::int`,
      open: sql<number>`(count(*) filter (where not ${isReady} and not ${isFailed} and ${hasWork}))::int`,
    })
    .from(documents)
    .where(addedSince(projectId, since))
  return row!
}

/** The documents of a project that were added since a time and have failed, the latest first. */
export function findFailures(tx: Tx, projectId: string, since: string | undefined, limit: number) {
  return tx
    .select({
      id: documents.id,
      title: documents.title,
      filename: documents.filename,
      message: documents.status_message,
    })
    .from(documents)
    .where(and(addedSince(projectId, since), eq(documents.status, 'error'), sql`${documents.vectorized_at} is null`))
    .orderBy(desc(documents.updated_at))
    .limit(limit)
}
