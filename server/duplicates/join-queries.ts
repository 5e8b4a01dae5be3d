import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import type { StoredJoin } from '#server/db/stored-duplicates.ts'
import { documents } from '#server/db/tables/documents.ts'
import { joinedPapers } from '#server/db/tables/duplicates.ts'
import { mayIn } from '#server/members/index.ts'
import { TRASH_DAYS } from '#shared/contract/trash.ts'

/** Inserts a join (the merge of one paper into another paper) and returns its id. */
export async function insertJoin(tx: Tx, row: typeof joinedPapers.$inferInsert): Promise<string> {
  const [created] = await tx.insert(joinedPapers).values(row).returning({ id: joinedPapers.id })
  return created!.id
}

const isRecent = sql`${joinedPapers.joined_at} > now() - ${sql.raw(`interval '${TRASH_DAYS} days'`)}`
const columns = {
  id: joinedPapers.id,
  document_id: joinedPapers.joined_id,
  title: joinedPapers.title,
  joined_at: joinedPapers.joined_at,
  joined_by: joinedPapers.joined_by,
  can_undo: sql<boolean>`${joinedPapers.joined_id} is not null and ${isRecent}`,
  may: mayIn(sql`${joinedPapers}.project_id`),
}

/** Returns the joins that merged other papers into a document and that were not undone, newest first. */
export const listJoins = (tx: Tx, documentId: string) =>
  tx
    .select(columns)
    .from(joinedPapers)
    .where(and(eq(joinedPapers.kept_id, documentId), isNull(joinedPapers.undone_at)))
    .orderBy(desc(joinedPapers.joined_at), joinedPapers.id)

/** Returns a join (a merge of duplicate papers) that the caller may read, or undefined. */
export async function findJoin(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      ...columns,
      kept_id: joinedPapers.kept_id,
      joined_id: joinedPapers.joined_id,
      undone_at: joinedPapers.undone_at,
    })
    .from(joinedPapers)
    .where(eq(joinedPapers.id, id))
  return row
}

/** Locks a join (a merge of duplicate papers). Returns the values that its undo needs and whether it was undone. */
export async function lockJoin(tx: Tx, id: string): Promise<{ undone_at: string | null; undo: StoredJoin }> {
  const [row] = await tx
    .select({ undone_at: joinedPapers.undone_at, undo: joinedPapers.undo })
    .from(joinedPapers)
    .where(eq(joinedPapers.id, id))
    .for('update')
  return row!
}

/**
 * Returns the joins (merges of duplicate papers) into the paper `keptId` that were not undone, oldest first, and locks them.
 */
export const lockJoinsOf = (tx: Tx, keptId: string) =>
  tx
    .select({ id: joinedPapers.id, joined_at: joinedPapers.joined_at, undo: joinedPapers.undo })
    .from(joinedPapers)
    .where(and(eq(joinedPapers.kept_id, keptId), isNull(joinedPapers.undone_at)))
    .orderBy(joinedPapers.joined_at)
    .for('update')

/** Stores the values that the undo of a join (a merge of duplicate papers) restores. */
export async function storeUndo(tx: Tx, id: string, undo: StoredJoin): Promise<void> {
  await tx.update(joinedPapers).set({ undo }).where(eq(joinedPapers.id, id))
}

/** Records that a join (a merge of duplicate papers) was undone. */
export async function endJoin(tx: Tx, id: string): Promise<void> {
  await tx
    .update(joinedPapers)
    .set({ undone_at: sql`now()` })
    .where(eq(joinedPapers.id, id))
}

/** Returns the project of each document with the rights of the caller in it. */
export const listProjectsOf = (tx: Tx, ids: readonly string[]) =>
  tx
    .select({ id: documents.id, project_id: documents.project_id, may: mayIn(sql`${documents}.project_id`) })
    .from(documents)
    .where(inArray(documents.id, [...ids]))
