import { and, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { zoteroConnections } from '#server/db/tables/zotero.ts'

export type StoredConnection = typeof zoteroConnections.$inferSelect

/** Returns the connection to Zotero of a user, or undefined. */
export async function findConnectionRow(tx: Tx, userId: string): Promise<StoredConnection | undefined> {
  const [row] = await tx.select().from(zoteroConnections).where(eq(zoteroConnections.user_id, userId))
  return row
}

/** Inserts the connection to Zotero of a user, or replaces it. */
export async function saveConnectionRow(tx: Tx, row: typeof zoteroConnections.$inferInsert): Promise<StoredConnection> {
  const { user_id: _, ...values } = row
  const [saved] = await tx
    .insert(zoteroConnections)
    .values(row)
    .onConflictDoUpdate({ target: zoteroConnections.user_id, set: { error: null, ...values } })
    .returning()
  return saved!
}

/** Changes the connection of a user. Does nothing if the user has replaced the key `sealed_key` or has no connection. */
export async function updateConnectionRow(
  tx: Tx,
  { user_id, sealed_key }: Pick<StoredConnection, 'user_id' | 'sealed_key'>,
  change: Partial<Pick<StoredConnection, 'error' | 'libraries' | 'username'>>,
): Promise<void> {
  const isSame = and(eq(zoteroConnections.user_id, user_id), eq(zoteroConnections.sealed_key, sealed_key))
  await tx.update(zoteroConnections).set(change).where(isSame)
}

/** Deletes the connection of a user. */
export async function deleteConnectionRow(tx: Tx, userId: string): Promise<void> {
  await tx.delete(zoteroConnections).where(eq(zoteroConnections.user_id, userId))
}
