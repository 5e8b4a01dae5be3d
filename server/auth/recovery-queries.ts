import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { verification } from '#server/db/tables/auth.ts'

/** Invalidates all recovery links of an account. */
export async function deleteRecoveryLinks(tx: Tx, userId: string): Promise<void> {
  await tx.delete(verification).where(eq(verification.value, userId))
}

/** Invalidates all recovery links of an account except the newest. */
export async function deleteOlderRecoveryLinks(tx: Tx, userId: string): Promise<void> {
  const newest = tx
    .select({ id: verification.id })
    .from(verification)
    .where(eq(verification.value, userId))
    .orderBy(desc(verification.createdAt), desc(verification.id))
    .limit(1)
  await tx.delete(verification).where(and(eq(verification.value, userId), sql`${verification.id} <> (${newest})`))
}
