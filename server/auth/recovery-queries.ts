import { and, desc, eq, ne } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { verification } from '#server/db/tables/auth.ts'

/** Ends every open recovery link of an account. */
export async function deleteRecoveryLinks(tx: Tx, userId: string): Promise<void> {
  await tx.delete(verification).where(eq(verification.value, userId))
}

/** Ends every open recovery link of an account but the newest one. */
export async function deleteOlderRecoveryLinks(tx: Tx, userId: string): Promise<void> {
  const [newest] = await tx
    .select({ id: verification.id })
    .from(verification)
    .where(eq(verification.value, userId))
    .orderBy(desc(verification.createdAt), desc(verification.id))
    .limit(1)
  if (newest) await tx.delete(verification).where(and(eq(verification.value, userId), ne(verification.id, newest.id)))
}
