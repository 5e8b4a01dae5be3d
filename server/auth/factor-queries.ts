import { and, asc, count, eq, gt, lt, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { backupCode, factor, factorChallenge } from '#server/db/tables/auth.ts'

export type FactorRow = typeof factor.$inferSelect

/** Returns all second factors of a user, verified or not. */
export const findFactors = (tx: Tx, userId: string): Promise<FactorRow[]> =>
  tx.select().from(factor).where(eq(factor.user_id, userId)).orderBy(asc(factor.created_at))

/** Returns a second factor and locks its row, so that concurrent codes are checked one after the other. */
export async function lockFactor(tx: Tx, userId: string, id: string): Promise<FactorRow | undefined> {
  const [row] = await tx
    .select()
    .from(factor)
    .where(and(eq(factor.user_id, userId), eq(factor.id, id)))
    .for('update')
  return row
}

/** Returns whether the user has a second factor that signing in requires. */
export async function hasVerifiedFactor(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: factor.id })
    .from(factor)
    .where(and(eq(factor.user_id, userId), eq(factor.status, 'verified')))
  return rows.length > 0
}

/** Inserts an unverified second factor and deletes the user's other unverified factors. */
export async function insertFactor(
  tx: Tx,
  row: { user_id: string; friendly_name: string; factor_type: 'totp'; issuer: string; secret: string },
): Promise<FactorRow> {
  await tx.delete(factor).where(and(eq(factor.user_id, row.user_id), eq(factor.status, 'unverified')))
  const [made] = await tx.insert(factor).values(row).returning()
  return made!
}

/** Changes a second factor, which must exist. */
export async function updateFactor(
  tx: Tx,
  id: string,
  change: Partial<typeof factor.$inferInsert>,
): Promise<FactorRow> {
  const [row] = await tx
    .update(factor)
    .set({ ...change, updated_at: new Date() })
    .where(eq(factor.id, id))
    .returning()
  return row!
}

/** Deletes a second factor, with its challenges and backup codes. */
export async function deleteFactor(tx: Tx, id: string): Promise<void> {
  await tx.delete(factor).where(eq(factor.id, id))
}

/** Inserts a challenge (a request for a code of a second factor). Deletes the expired challenges of all users. */
export async function insertChallenge(tx: Tx, row: typeof factorChallenge.$inferInsert) {
  await tx.delete(factorChallenge).where(lt(factorChallenge.expires_at, new Date()))
  const [made] = await tx.insert(factorChallenge).values(row).returning()
  return made!
}

/**
 * Counts an attempt to answer a challenge (a request for a code of a second factor), and returns the id of the challenge.
 * Returns undefined, without a count, if the challenge does not exist, has expired, or has already had `limit` attempts.
 */
export async function countTry(tx: Tx, wanted: { id: string; factorId: string; sessionId: string; limit: number }) {
  const [row] = await tx
    .update(factorChallenge)
    .set({ attempts: sql`${factorChallenge.attempts} + 1` })
    .where(
      and(
        eq(factorChallenge.id, wanted.id),
        eq(factorChallenge.factor_id, wanted.factorId),
        eq(factorChallenge.session_id, wanted.sessionId),
        gt(factorChallenge.expires_at, new Date()),
        lt(factorChallenge.attempts, wanted.limit),
      ),
    )
    .returning({ id: factorChallenge.id })
  return row
}

/** Deletes a challenge, so that it cannot be answered twice. */
export async function deleteChallenge(tx: Tx, id: string): Promise<void> {
  await tx.delete(factorChallenge).where(eq(factorChallenge.id, id))
}

/** Replaces the backup codes of a factor. */
export async function replaceBackupCodes(tx: Tx, factorId: string, hashes: string[]): Promise<void> {
  await tx.delete(backupCode).where(eq(backupCode.factor_id, factorId))
  await tx.insert(backupCode).values(hashes.map((hash) => ({ factor_id: factorId, hash })))
}

/** Deletes a backup code, so that it works only once. Returns false if the factor has no such code. */
export async function takeBackupCode(tx: Tx, factorId: string, hash: string): Promise<boolean> {
  const removed = await tx
    .delete(backupCode)
    .where(and(eq(backupCode.factor_id, factorId), eq(backupCode.hash, hash)))
    .returning({ id: backupCode.id })
  return removed.length > 0
}

/** Counts the unused backup codes of a user. */
export async function countBackupCodes(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx
    .select({ n: count() })
    .from(backupCode)
    .innerJoin(factor, eq(factor.id, backupCode.factor_id))
    .where(eq(factor.user_id, userId))
  return row?.n ?? 0
}

/** Deletes the second factors and backup codes of an account. Returns false if no deleted factor was verified. */
export async function deleteFactors(tx: Tx, userId: string): Promise<boolean> {
  const removed = await tx.delete(factor).where(eq(factor.user_id, userId)).returning({ status: factor.status })
  return removed.some(({ status }) => status === 'verified')
}
