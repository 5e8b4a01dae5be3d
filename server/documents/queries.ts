import { and, eq, getTableColumns, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import type { StoredTextOffer } from '#server/db/stored-documents.ts'
import { documents, documentTags } from '#server/db/tables/documents.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { tags } from '#server/db/tables/projects.ts'
import { runs } from '#server/db/tables/runs.ts'
import { mayIn } from '#server/members/index.ts'
import { type AnalysisRun, type DocumentRow, OFFER_BEGINNING, type TextOffer } from '#shared/contract/documents.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'
import { failedStep, vectorError } from './failure-queries.ts'
import { ofProject } from './list-queries.ts'

/**
 * A document without its two large texts, each up to ten million characters: the extracted text (`findDocumentText` reads it)
 * and the offered text, a poorer OCR text that the user can accept or refuse (`findOfferedText` reads it).
 */
export type StoredDocument = Omit<typeof documents.$inferSelect, 'extracted_text' | 'offered_text'> & {
  has_text: boolean
  text_offer: TextOffer | null
  /** The run (the stored analysis) that filled the document; null if the caller may not read it. */
  run: AnalysisRun | null
  /** See `failedStep`. */
  failed_step: DocumentRow['failed_step']
  /** Why the document has no vectors; see `vectorError`. */
  vector_error: string | null
  /** The rights of the caller in the document's project. */
  may: ProjectRight[]
}

const { extracted_text: storedText, offered_text: offeredText, ...ownColumns } = getTableColumns(documents)
/**
 * The columns of StoredDocument. `has_text` uses the length of the text, so that the database does not read the text itself.
 */
export const storedColumns = {
  ...ownColumns,
  has_text: sql<boolean>`coalesce(${storedText} <> '', false)`,
  text_offer: sql<TextOffer | null>`case when ${offeredText} is not null then jsonb_build_object('letters',
    ${offeredText} -> 'letters', 'current_letters', ${offeredText} -> 'current_letters', 'beginning',
    left(${offeredText} ->> 'text', ${sql.raw(String(OFFER_BEGINNING))})) end`,
  run: sql<AnalysisRun | null>`(select jsonb_build_object('id', run.id, 'number', run.number, 'cached', run.cached)
    from ${runs} run where run.id = ${documents}.run_id)`,
  failed_step: failedStep,
  vector_error: vectorError,
  may: mayIn(sql`${documents}.project_id`),
}

/**
 * The status of a document without a running job: 'completed' for a document with a text, and for a paper without a PDF whose
 * abstract has been analyzed; else 'pending'.
 */
export const settledStatus = sql<string>`case when ${storedText} <> '' or (${documents.source_url} is null
  and ${documents.analyzed_at} is not null) then 'completed' else 'pending' end`

/**
 * Moves the given documents that are in the project `from` to the project `to`, and returns their ids. Null means no
 * project. Documents without a project belong to the caller.
 */
export async function moveDocumentRows(
  tx: Tx,
  { ids, from, to, userId }: { ids: readonly string[]; from: string | null; to: string | null; userId: string },
): Promise<string[]> {
  const chosen = and(ofProject(from), sql`${documents.id} = any(${sql.param([...ids])}::uuid[])`)
  const locked = tx.select({ id: documents.id }).from(documents).where(chosen).orderBy(documents.id).for('update')
  const rows = await tx
    .update(documents)
    .set({ project_id: to, ...(to === null ? { owner_id: userId } : {}), updated_at: sql`now()` })
    .where(sql`${documents.id} = any(array(${locked}))`)
    .returning({ id: documents.id })
  return rows.map((row) => row.id)
}

/** Returns the different sets of rights that the caller has in the projects of these documents, one row for each set. */
export function listRights(tx: Tx, ids: readonly string[]): Promise<{ may: ProjectRight[] }[]> {
  return tx
    .selectDistinct({ may: mayIn(sql`${documents}.project_id`) })
    .from(documents)
    .where(sql`${documents.id} = any(${sql.param([...ids])}::uuid[])`)
}

/**
 * Returns the ids of up to `limit` documents of a project, or of the caller's documents without a project if `projectId` is
 * null.
 */
export async function listIdsOf(tx: Tx, projectId: string | null, limit: number): Promise<string[]> {
  const rows = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(ofProject(projectId), isNull(documents.deleted_at)))
    .limit(limit)
  return rows.map((row) => row.id)
}

/**
 * Returns the start time of the transaction, which a deletion stores as `deleted_at`. It is an ISO time in UTC with
 * microseconds, because `deleted_at` has microseconds.
 */
export async function transactionTime(tx: Tx): Promise<string> {
  const format = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
  const { rows } = await tx.execute<{ at: string }>(sql`select to_char(now() at time zone 'UTC', ${format}) as at`)
  return rows[0]!.at
}

/**
 * Soft-deletes documents and returns those that were not deleted before. `tx` must come from `asActorWithDeleted`. The jobs of
 * the documents are deleted as well, so the status 'processing' is replaced by the status of a document without a job
 * (`settledStatus`). Locks rows in the order of their ids, so that concurrent deletions of the same documents do not end in a
 * deadlock.
 */
export function hideDocumentRows(tx: Tx, ids: readonly string[]): Promise<Pick<StoredDocument, 'id' | 'project_id'>[]> {
  return tx
    .update(documents)
    .set({
      deleted_at: sql`now()`,
      status: sql`case when ${documents.status} = 'processing' then ${settledStatus} else ${documents.status} end`,
    })
    .where(
      sql`${documents.id} in (select id from ${documents} where id = any(${sql.param([...ids])}::uuid[]) and deleted_at is null order by id for update)`,
    )
    .returning({ id: documents.id, project_id: documents.project_id })
}

/** Returns a document that the caller may see, without its text, or undefined. */
export async function findDocumentRow(tx: Tx, id: string): Promise<StoredDocument | undefined> {
  const [row] = await tx.select(storedColumns).from(documents).where(eq(documents.id, id))
  return row
}

/**
 * Returns the text of a document, or null if it has none. With `characters`, returns only this many characters from its
 * beginning.
 */
export async function findDocumentText(tx: Tx, id: string, characters?: number): Promise<string | null> {
  const wanted = characters === undefined ? storedText : sql<string | null>`left(${storedText}, ${characters})`
  const [row] = await tx.select({ text: wanted }).from(documents).where(eq(documents.id, id))
  return row?.text ?? null
}

/**
 * Returns the OCR text that the user can choose instead of the current text, with the other results of the OCR. Undefined if
 * there is no such text.
 */
export async function findOfferedText(tx: Tx, id: string): Promise<StoredTextOffer | undefined> {
  const [row] = await tx.select({ offer: offeredText }).from(documents).where(eq(documents.id, id))
  return row?.offer ?? undefined
}

/**
 * Returns the size of a document's text in UTF-8 bytes, without reading it, and the text's version, which rises with each
 * change. `bytes` is 0 without a text or a document. `text` is the text if it has at most `most` bytes, else null.
 */
export async function measureDocumentText(
  tx: Tx,
  id: string,
  most = -1,
): Promise<{ bytes: number; version: number | undefined; text: string | null }> {
  const bytes = sql<number>`coalesce(octet_length(${storedText}), 0)`
  const text = sql<string | null>`case when octet_length(${storedText}) <= ${most} then ${storedText} end`
  const [row] = await tx
    .select({ bytes, version: documents.text_version, text })
    .from(documents)
    .where(eq(documents.id, id))
  return row ?? { bytes: 0, version: undefined, text: null }
}

/**
 * Returns whether a document has exactly this text. Compares the lengths first, and sends the text to the database only if they
 * are equal.
 */
export async function hasDocumentText(tx: Tx, id: string, text: string): Promise<boolean> {
  if ((await measureDocumentText(tx, id)).bytes !== Buffer.byteLength(text)) return false
  const [row] = await tx
    .select({ isSame: sql<boolean>`${storedText} = ${text}` })
    .from(documents)
    .where(eq(documents.id, id))
  return row?.isSame ?? false
}

/** Returns the document whose file is stored under `key`. */
export async function findDocumentRowByKey(tx: Tx, key: string): Promise<StoredDocument | undefined> {
  const [row] = await tx.select(storedColumns).from(documents).where(eq(documents.source_url, key))
  return row
}

/** Returns a document and locks its row until the transaction ends. */
export async function lockDocumentRow(tx: Tx, id: string): Promise<StoredDocument | undefined> {
  const [row] = await tx.select(storedColumns).from(documents).where(eq(documents.id, id)).for('update')
  return row
}

/**
 * Returns whether another job than `jobId` that sets the status of the document is queued or running. A job that is being
 * cancelled does not count.
 */
export async function hasOtherStep(tx: Tx, documentId: string, jobId: string): Promise<boolean> {
  const isOther = and(eq(jobs.document_id, documentId), ne(jobs.id, jobId))
  const isStep = inArray(jobs.kind, ['extract', 'ocr', 'analyze'])
  const isActive = and(inArray(jobs.status, ['queued', 'running']), isNull(jobs.error))
  const [row] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isOther, isStep, isActive))
    .limit(1)
  return row !== undefined
}

/** Returns whether a project has a document with this file, given by its SHA-256 in hexadecimal. */
export async function hasFile(tx: Tx, projectId: string, contentHash: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.project_id, projectId), eq(documents.content_hash, contentHash)))
    .limit(1)
  return row !== undefined
}

/** Returns the different names of the tags of documents. */
export async function listTagNames(tx: Tx, documentIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ name: tags.name })
    .from(documentTags)
    .innerJoin(tags, eq(tags.id, documentTags.tag_id))
    .where(sql`${documentTags.document_id} = any(${sql.param([...documentIds])}::uuid[])`)
  return rows.map(({ name }) => name)
}

/** Returns the ids of the tags of a document. */
export async function listTagIds(tx: Tx, documentId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: documentTags.tag_id })
    .from(documentTags)
    .where(eq(documentTags.document_id, documentId))
    .orderBy(documentTags.created_at, documentTags.tag_id)
  return rows.map(({ id }) => id)
}

/** Replaces the tags of a document. Creates no tag: the ids must exist. */
export async function replaceDocumentTags(tx: Tx, documentId: string, tagIds: readonly string[]) {
  await tx.delete(documentTags).where(eq(documentTags.document_id, documentId))
  if (tagIds.length > 0)
    await tx.insert(documentTags).values(tagIds.map((tag_id) => ({ document_id: documentId, tag_id })))
}
