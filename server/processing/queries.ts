import { and, desc, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { failedStep, vectorError } from '#server/documents/index.ts'
import { mayIn } from '#server/members/index.ts'
import { documents } from '#server/db/tables/documents.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { runs } from '#server/db/tables/runs.ts'
import { uploads } from '#server/db/tables/uploads.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'
import type { TextWarning } from '#shared/contract/documents.ts'
import type { JobKind } from '#shared/contract/jobs.ts'
import type { ProgressQuery } from '#shared/contract/processing.ts'

/**
 * The columns of a document that a bulk run (a job for several documents) needs: its names and its completed steps, without the
 * long texts.
 */
export interface ProcessedDocument {
  id: string
  project_id: string | null
  title: string | null
  filename: string
  text_version: number
  has_text: boolean
  /** True for a paper without a PDF: its abstract is read instead of a text. */
  has_only_abstract: boolean
  /** True if the paper has no PDF, no text and no abstract. */
  has_nothing: boolean
  extraction_method: string | null
  text_warning: TextWarning | null
  /** True if the user has to choose between the current text and an OCR text. */
  has_offer: boolean
  /** True if the paper was analyzed, and the recorded run of the analysis did not read a former text. */
  has_current_analysis: boolean
  /** The embedding model that created the vectors. */
  embedding_model: string | null
  vectorized_at: string | null
  /** The rights of the caller in the document's project. */
  may: ProjectRight[]
}

/**
 * Returns the documents with these ids that the caller may read, with the columns that determine their next processing step.
 */
export function findProcessedDocuments(tx: Tx, ids: readonly string[]): Promise<ProcessedDocument[]> {
  return tx
    .select({
      id: documents.id,
      project_id: documents.project_id,
      title: documents.title,
      filename: documents.filename,
      text_version: documents.text_version,
      has_text: sql<boolean>`${documents.extracted_text} is not null`,
      has_only_abstract: sql<boolean>`${documents.source_url} is null and coalesce(btrim(${documents.abstract}) <> '', false)`,
      has_nothing: sql<boolean>`${documents.source_url} is null and ${documents.extracted_text} is null
        and coalesce(btrim(${documents.abstract}), '') = ''`,
      extraction_method: documents.extraction_method,
      text_warning: documents.text_warning,
      has_offer: sql<boolean>`${documents.offered_text} is not null`,
      has_current_analysis: sql<boolean>`${documents.analyzed_at} is not null and not exists (
        select from ${runs} r, jsonb_to_recordset(r.input -> 'documents') as read(id uuid, text_version int)
        where r.id = ${documents}.run_id and read.id = ${documents}.id and read.text_version < ${documents}.text_version)`,
      embedding_model: documents.embedding_model,
      vectorized_at: documents.vectorized_at,
      may: mayIn(sql`${documents}.project_id`),
    })
    .from(documents)
    .where(inArray(documents.id, [...ids]))
}

/**
 * Time for which a changed document counts as in progress even without a job. Between two steps, a document has no job for a
 * moment.
 */
const BETWEEN_STEPS = sql`interval '10 seconds'`

const isOfQuery = (projectId: string, { since, upload_id }: ProgressQuery) =>
  and(
    eq(documents.project_id, projectId),
    since === undefined ? undefined : gte(documents.created_at, since),
    upload_id === undefined ? undefined : eq(documents.upload_id, upload_id),
  )

const isWorking = sql`exists (select 1 from ${jobs} where ${jobs.document_id} = ${documents.id}
  and ${jobs.status} in ('queued', 'running'))`
const isFailed = sql`((${documents.status} = 'error' or ${vectorError} is not null) and not ${isWorking})`
/** The reason for which a document is failed. */
const failureMessage = sql<string | null>`case when ${documents.status} = 'error' then ${documents.status_message}
  else ${vectorError} end`
/** The kind of the job for which a document is failed. */
const failureStep = sql<JobKind | null>`case when ${documents.status} = 'error' then ${failedStep} else 'vectorize' end`
/** No job of the document runs, but at least one is queued. */
const isWaiting = sql`(${isWorking} and not exists (select 1 from ${jobs}
  where ${jobs.document_id} = ${documents.id} and ${jobs.status} = 'running'))`
const isReady = sql`(${documents.vectorized_at} is not null and not ${isFailed} and not ${isWorking})`

/**
 * Counts the documents of a project: all of them (`total`), ready, in progress (`open`), failed, and those in progress that
 * wait in the queue (`waiting`). A document whose vectors failed also counts as failed.
 */
export async function countProgress(tx: Tx, projectId: string, query: ProgressQuery) {
  const hasWork = sql`(${documents.updated_at} > now() - ${BETWEEN_STEPS} or ${isWorking})`
  const [row] = await tx
    .select({
      total: sql<number>`count(*)::int`,
      ready: sql<number>`(count(*) filter (where ${isReady}))::int`,
      failed: sql<number>`(count(*) filter (where ${isFailed}))::int`,
      open: sql<number>`(count(*) filter (where not ${isReady} and not ${isFailed} and ${hasWork}))::int`,
      waiting: sql<number>`(count(*) filter (where ${isWaiting}))::int`,
    })
    .from(documents)
    .where(isOfQuery(projectId, query))
  return row!
}

/**
 * Returns the values from which the remaining time of an upload is estimated: whether the upload is paused, the number of
 * seconds since it started or was last resumed, and `ready`, the number of its documents in the project that became ready in
 * this time. Returns undefined if the project has no document of the upload. Must run as the database role that owns the
 * tables, because another member can have uploaded the documents.
 */
export async function findPace(tx: Tx, projectId: string, uploadId: string) {
  const since = uploads.running_since
  const [row] = await tx
    .select({
      is_paused: uploads.is_paused,
      seconds: sql<number>`extract(epoch from now() - ${since})::float8`,
      ready: sql<number>`(count(*) filter (where ${documents.vectorized_at} >= ${since}))::int`,
    })
    .from(uploads)
    .innerJoin(documents, and(eq(documents.upload_id, uploads.id), eq(documents.owner_id, uploads.owner_id)))
    .where(and(eq(uploads.id, uploadId), eq(documents.project_id, projectId), isNull(documents.deleted_at)))
    .groupBy(uploads.id, uploads.owner_id)
    .orderBy(uploads.created_at)
  return row
}

/** Returns the failed documents of a project, the most recently changed first. */
export function findFailures(tx: Tx, projectId: string, query: ProgressQuery, limit: number) {
  return tx
    .select({
      id: documents.id,
      title: documents.title,
      filename: documents.filename,
      step: failureStep,
      message: failureMessage,
      error_code: sql<string | null>`(select last.error_code from ${jobs} last
        where last.document_id = ${documents}.id and last.status = 'failed' and last.error = ${failureMessage}
        order by last.created_at desc limit 1)`,
    })
    .from(documents)
    .where(and(isOfQuery(projectId, query), isFailed))
    .orderBy(desc(documents.updated_at))
    .limit(limit)
}
