import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { verification } from '#server/db/tables/auth.ts'

/** Ends every open recovery link of an account. */
export async function deleteRecoveryLinks(tx: Tx, userId: string): Promise<void> {
  await tx.delete(verification).where(eq(verification.value, userId))
}

/**
 * Ends every open recovery link of an account but the newest one. One statement with one snapshot: a link that another
 * request inserts meanwhile stays, so that requests at the same time do not end each other's links.
 */
export async function deleteOlderRecoveryLinks(tx: Tx, userId: string): Promise<void> {
  const newest = tx
    .select({ id: verification.id })
    .from(verification)
    .where(eq(verification.value, userId))
    .orderBy(desc(verification.createdAt), desc(verification.id))
    .limit(1)
  await tx.delete(verification).where(and(eq(verification.value, userId), sql`${verification.id} <> (${newest})`))
}
