import { and, count, eq, getTableColumns, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents, documentTags } from '#server/db/tables/documents.ts'
import type { DocumentsQuery } from '#shared/contract/documents.ts'
import { UNKNOWN_EVIDENCE_LEVEL } from '#shared/contract/analysis.ts'
import { rankedAmong, rankedIds, snippetRows, sortedHits, withKeywords } from './search-queries.ts'
import { fieldParts, searchWords, snippetParts, type SearchWords } from './search-words.ts'

/** A row without its text, which can have ten million characters: see findDocumentText. */
export type StoredDocument = Omit<typeof documents.$inferSelect, 'extracted_text'> & { has_text: boolean }

const { extracted_text: storedText, ...ownColumns } = getTableColumns(documents)
/** The columns of StoredDocument. `has_text` compares lengths: the text itself is not read. */
export const storedColumns = { ...ownColumns, has_text: sql<boolean>`coalesce(${storedText} <> '', false)` }

const rowColumns = {
  id: documents.id,
  project_id: documents.project_id,
  owner_id: documents.owner_id,
  title: documents.title,
  filename: documents.filename,
  source_url: documents.source_url,
  doi_link: documents.doi_link,
  publication_date: documents.publication_date,
  journal_name: documents.journal_name,
  journal_id: documents.journal_id,
  semantic_paperid: documents.semantic_paperid,
  authors: documents.authors,
  retracted: documents.retracted,
  evidence_level: documents.evidence_level,
  keywords: documents.keywords,
  edited_fields: documents.edited_fields,
  status: documents.status,
  status_message: documents.status_message,
  analysis_model: documents.analysis_model,
  analyzed_at: documents.analyzed_at,
  vectorized_at: documents.vectorized_at,
  created_at: documents.created_at,
  updated_at: documents.updated_at,
  page_count: documents.page_count,
  file_size: documents.file_size,
  extraction_method: documents.extraction_method,
  text_warning: documents.text_warning,
}

const sortColumns = {
  // Sorts by the displayed value: the title falls back to the filename.
  title: documents.title_key,
  journal_name: sql`lower(${documents.journal_name})`,
  doi_link: documents.doi_link,
  semantic_paperid: documents.semantic_paperid,
  status: documents.status,
  created_at: documents.created_at,
} as const
/**
 * Columns that can be empty: such rows come last in both directions. Setting `nulls last` for other columns would
 * prevent the use of their indexes.
 */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['journal_name', 'doi_link', 'semantic_paperid'])

/**
 * Returns one page of the documents that match the query, with the exact count of all pages, and with snippets for a
 * search.
 */
export async function listDocumentRows(tx: Tx, query: DocumentsQuery) {
  const words = query.search ? searchWords(query.search) : null
  const { ids, count } = await (words ? searchIds(tx, query, words) : plainIds(tx, query))
  const found = ids.length > 0 ? await tx.select(rowColumns).from(documents).where(inArray(documents.id, ids)) : []
  const snippets = words ? await snippetRows(tx, ids, words) : null
  const byId = new Map(found.map((row) => [row.id, row]))
  const rows = ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const marked = snippets?.get(id)
    return [{ ...row, snippet: marked ? snippetParts(marked) : words ? fieldParts(row, query.search) : null }]
  })
  return { rows, count }
}

/** Returns the requested order; equal documents are sorted newest first. */
function orderOf(asked: string): SQL {
  const [field, direction] = asked.split('.') as [keyof typeof sortColumns, 'asc' | 'desc' | undefined]
  const turned = sql.raw(direction === 'desc' ? 'desc' : 'asc')
  const empty = sql.raw(MAY_BE_EMPTY.has(field) ? ' nulls last' : '')
  return sql`${sortColumns[field]} ${turned}${empty}, ${documents.created_at} desc, ${documents.id}`
}

async function plainIds(tx: Tx, query: DocumentsQuery) {
  const where = and(...conditions(query))
  const rows = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(where)
    .orderBy(orderOf(query.order_by ?? 'created_at.desc'))
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
  const [total] = await tx.select({ n: count() }).from(documents).where(where)
  return { ids: rows.map((row) => row.id), count: total?.n ?? 0 }
}

function searchIds(tx: Tx, query: DocumentsQuery, words: SearchWords) {
  const offset = (query.page - 1) * query.limit
  const { project_id, order_by, status, keyword, evidence_level } = query
  const project = project_id && project_id !== 'none' ? project_id : null
  const filtered = project_id === 'none' || status.length + keyword.length + evidence_level.length > 0
  if (!order_by && !filtered) return rankedIds(tx, words, project, query.limit, offset)
  const where = and(...conditions(query)) ?? sql`true`
  if (!order_by) return rankedAmong(tx, words, project, where, query.limit, offset)
  return sortedHits(tx, words, project, where, filtered, orderOf(order_by), query.limit, offset)
}

function conditions(query: DocumentsQuery): SQL[] {
  const found: (SQL | undefined)[] = []
  if (query.project_id) found.push(ofProject(query.project_id === 'none' ? null : query.project_id))
  if (query.status.length > 0)
    found.push(
      inArray(
        documents.status,
        query.status.flatMap((status) => (status === 'completed' ? ['completed', 'processed'] : [status])),
      ),
    )
  if (query.keyword.length > 0) found.push(sql`${documents.id} in ${withKeywords(query.keyword)}`)
  if (query.evidence_level.length > 0)
    found.push(
      or(
        inArray(documents.evidence_level, query.evidence_level),
        query.evidence_level.includes(UNKNOWN_EVIDENCE_LEVEL)
          ? or(isNull(documents.evidence_level), eq(documents.evidence_level, ''))
          : undefined,
      ),
    )
  return found.filter((one) => one !== undefined)
}

/** Selects the documents of a project, or those without one. */
const ofProject = (id: string | null) => (id === null ? isNull(documents.project_id) : eq(documents.project_id, id))

/** Moves every document of one project to another, and returns their ids; null means no project. */
export async function moveDocumentRows(tx: Tx, from: string | null, to: string | null): Promise<string[]> {
  const rows = await tx
    .update(documents)
    .set({ project_id: to, updated_at: sql`now()` })
    .where(ofProject(from))
    .returning({ id: documents.id })
  return rows.map((row) => row.id)
}

/** Returns the ids of a project's documents. */
export async function listIdsOf(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(ofProject(projectId), isNull(documents.deleted_at)))
  return rows.map((row) => row.id)
}

/**
 * Soft-deletes documents and returns those that were not deleted before. Needs `asActorWithDeleted`. Resets the status
 * 'processing', because their jobs end: a restored document is as before that work. Locks rows in the order of their
 * ids, so that two deletions of the same documents wait instead of ending in a deadlock.
 */
export function hideDocumentRows(tx: Tx, ids: readonly string[]): Promise<Pick<StoredDocument, 'id' | 'project_id'>[]> {
  const settled = sql<string>`case when ${documents.extracted_text} is null then 'pending' else 'completed' end`
  return tx
    .update(documents)
    .set({
      deleted_at: sql`now()`,
      status: sql`case when ${documents.status} = 'processing' then ${settled} else ${documents.status} end`,
    })
    .where(
      sql`${documents.id} in (select id from ${documents} where id = any(${sql.param([...ids])}::uuid[]) and deleted_at is null order by id for update)`,
    )
    .returning({ id: documents.id, project_id: documents.project_id })
}

export async function findDocumentRow(tx: Tx, id: string): Promise<StoredDocument | undefined> {
  const [row] = await tx.select(storedColumns).from(documents).where(eq(documents.id, id))
  return row
}

/** Returns the text of a document; null without one. `characters` limits it to the beginning. */
export async function findDocumentText(tx: Tx, id: string, characters?: number): Promise<string | null> {
  const wanted = characters === undefined ? storedText : sql<string | null>`left(${storedText}, ${characters})`
  const [row] = await tx.select({ text: wanted }).from(documents).where(eq(documents.id, id))
  return row?.text ?? null
}

/** Returns the bytes of a document's text in UTF-8, without reading it; 0 without one. */
export async function measureDocumentText(tx: Tx, id: string): Promise<number> {
  const [row] = await tx
    .select({ bytes: sql<number>`coalesce(octet_length(${storedText}), 0)` })
    .from(documents)
    .where(eq(documents.id, id))
  return row?.bytes ?? 0
}

/** Returns the version of a document's text; undefined without the document. It rises with each change of the text. */
export async function findTextVersion(tx: Tx, id: string): Promise<number | undefined> {
  const [row] = await tx.select({ version: documents.text_version }).from(documents).where(eq(documents.id, id))
  return row?.version
}

/** Returns whether a document has this text. A text of another length is never sent to the database. */
export async function hasDocumentText(tx: Tx, id: string, text: string): Promise<boolean> {
  if ((await measureDocumentText(tx, id)) !== Buffer.byteLength(text)) return false
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

/** Returns the row, locked until the transaction ends. */
export async function lockDocumentRow(tx: Tx, id: string): Promise<StoredDocument | undefined> {
  const [row] = await tx.select(storedColumns).from(documents).where(eq(documents.id, id)).for('update')
  return row
}

export async function insertDocumentRow(tx: Tx, row: typeof documents.$inferInsert): Promise<StoredDocument> {
  const [created] = await tx.insert(documents).values(row).returning(storedColumns)
  return created!
}

export async function updateDocumentRow(
  tx: Tx,
  id: string,
  patch: Partial<typeof documents.$inferInsert>,
): Promise<StoredDocument | undefined> {
  const [row] = await tx
    .update(documents)
    .set({ ...patch, updated_at: sql`now()` })
    .where(eq(documents.id, id))
    .returning(storedColumns)
  return row
}

export async function replaceDocumentTags(tx: Tx, documentId: string, tagIds: readonly string[]) {
  await tx.delete(documentTags).where(eq(documentTags.document_id, documentId))
  if (tagIds.length > 0)
    await tx.insert(documentTags).values(tagIds.map((tag_id) => ({ document_id: documentId, tag_id })))
}

/** Returns the filter options of a project's documents, with the number of documents of each. */
export async function listFilterRows(tx: Tx, projectId: string) {
  const of = eq(documents.project_id, projectId)
  const level = sql<string>`coalesce(nullif(${documents.evidence_level}, ''), ${UNKNOWN_EVIDENCE_LEVEL})`
  const evidence_levels = await tx
    .select({ level, document_count: count() })
    .from(documents)
    .where(of)
    .groupBy(sql`1`)
    .orderBy(sql`1`)
  const statuses = await tx
    .select({ status: documents.status, document_count: count() })
    .from(documents)
    .where(of)
    .groupBy(documents.status)
  // Keywords that differ only in case are one choice, in the spelling used most; of equals, the first by code point.
  const name = sql<string>`mode() within group (order by keyword collate "C")`
  const tags = await tx
    .select({ name, document_count: sql<number>`count(distinct ${documents.id})::int` })
    .from(sql`${documents}, unnest(${documents.keywords}) as keyword`)
    .where(of)
    .groupBy(sql`lower(keyword)`)
    .orderBy(sql`lower(keyword)`)
  return { statuses, evidence_levels, tags }
}
