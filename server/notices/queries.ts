import { and, desc, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { notices } from '#server/db/tables/notices.ts'
import type { Notice } from '#shared/contract/notices.ts'

/** Returns the notices that the caller may read, newest first; with `unread`, only unread notices. */
export async function listNoticeRows(tx: Tx, { unread }: { unread: boolean }): Promise<Notice[]> {
  const { id, kind, data, created_at, read_at } = notices
  const rows = await tx
    .select({ id, kind, data, created_at, read_at })
    .from(notices)
    .where(unread ? isNull(read_at) : undefined)
    .orderBy(desc(created_at), id)
  // The server alone inserts rows, with the data of their kind.
  return rows as Notice[]
}

/** Marks notices as read. Returns how many of them were unread. */
export async function readNoticeRows(tx: Tx, ids: readonly string[]): Promise<number> {
  const { rowCount } = await tx
    .update(notices)
    .set({ read_at: sql`now()` })
    .where(and(inArray(notices.id, [...ids]), isNull(notices.read_at)))
  return rowCount ?? 0
}

/** Inserts notices. Must run as the database role that owns the tables. */
export async function insertNoticeRows(tx: Tx, rows: (typeof notices.$inferInsert)[]): Promise<void> {
  await tx.insert(notices).values(rows)
}
