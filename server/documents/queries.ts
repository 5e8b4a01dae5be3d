import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents, documentTags } from '#server/db/tables/documents.ts'
import { ofProject } from './list-queries.ts'

/** A row without its text, which can have ten million characters: see findDocumentText. */
export type StoredDocument = Omit<typeof documents.$inferSelect, 'extracted_text'> & { has_text: boolean }

const { extracted_text: storedText, ...ownColumns } = getTableColumns(documents)
/** The columns of StoredDocument. `has_text` compares lengths: the text itself is not read. */
export const storedColumns = { ...ownColumns, has_text: sql<boolean>`coalesce(${storedText} <> '', false)` }

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
