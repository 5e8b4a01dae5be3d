import { sql } from 'drizzle-orm'
import { documents } from '#server/db/tables/documents.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import type { DocumentRow } from '#shared/contract/documents.ts'
import { JOB_CANCELLED } from '#shared/contract/jobs.ts'

/**
 * The error of the last job that vectorized a document; null if it did not fail or was cancelled, and for a document with
 * vectors. This failure does not change the status of the document, because its text stays usable.
 */
export const vectorError = sql<string | null>`case when ${documents.vectorized_at} is null then
  (select nullif(last.error, ${JOB_CANCELLED}) from ${jobs} last
    where last.document_id = ${documents}.id and last.kind = 'vectorize' order by last.created_at desc limit 1) end`

/**
 * The kind of the job that set the status of a document to 'error': the last job of a kind that sets it. The job can still be
 * running, because the document changes before its job ends. Null for a document with another status.
 */
export const failedStep = sql<DocumentRow['failed_step']>`case when ${documents.status} = 'error' then
  (select last.kind from ${jobs} last where last.document_id = ${documents}.id
    and last.kind in ('extract', 'ocr', 'analyze') order by last.updated_at desc limit 1) end`
