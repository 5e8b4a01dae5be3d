import { and, desc, eq, ne, not, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { session, user, verification } from '#server/db/tables/auth.ts'

/** Maximum time in ms between the password and the code of the second factor. */
export const SECOND_STEP_MS = 10 * 60_000
/** Maximum lifetime of a session in ms, however often it is used; an unused session ends after 14 days (auth.ts). */
export const LONGEST_SESSION_MS = 90 * 24 * 60 * 60_000

/** SQL condition that a session can no longer be used. */
const isOver = sql`(${session.expiresAt} < now() or ${session.createdAt} < now() - interval '1 millisecond'
  * case ${session.level} when 'pending' then ${sql.raw(String(SECOND_STEP_MS))} else ${sql.raw(String(LONGEST_SESSION_MS))} end)`

/** Deletes the sessions that have expired, and those whose time limit for the code of a second factor is over. */
export async function deleteOldSessions(tx: Tx): Promise<void> {
  await tx.delete(session).where(isOver)
}

/**
 * Returns the valid sessions of an account, most recently used first. Omits sessions that wait for the code of a second factor.
 */
export function findSessions(tx: Tx, userId: string) {
  const { id, userAgent, ipAddress, createdAt, updatedAt, expiresAt } = session
  return tx
    .select({ id, userAgent, ipAddress, createdAt, updatedAt, expiresAt })
    .from(session)
    .where(and(eq(session.userId, userId), not(isOver), ne(session.level, 'pending')))
    .orderBy(desc(session.updatedAt), desc(session.createdAt))
}

/** Ends the session `id` of an account. Returns false if the account has no such session. */
export async function deleteSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const ended = await tx
    .delete(session)
    .where(and(eq(session.userId, userId), eq(session.id, id)))
    .returning({ id: session.id })
  return ended.length > 0
}

/** Ends all sessions of an account except one, and returns their number. */
export async function deleteOtherSessions(tx: Tx, userId: string, currentId: string): Promise<number> {
  const ended = await tx
    .delete(session)
    .where(and(eq(session.userId, userId), ne(session.id, currentId)))
    .returning({ id: session.id })
  return ended.length
}

/** Ends every session of an account, also those that wait for a second factor. */
export async function deleteAllSessions(tx: Tx, userId: string): Promise<void> {
  await tx.delete(session).where(eq(session.userId, userId))
}

/** Deletes an account and the rows that refer to it: its sessions, its sign-in methods and its recovery links. */
export async function deleteUser(tx: Tx, userId: string): Promise<void> {
  await tx.delete(verification).where(eq(verification.value, userId))
  await tx.delete(user).where(eq(user.id, userId))
}

/** Sets the time of the last proof of identity of a session to the current time. `requireFreshProof` checks this time. */
export async function noteProof(tx: Tx, id: string): Promise<void> {
  await tx
    .update(session)
    .set({ provedAt: sql`now()` })
    .where(eq(session.id, id))
}

/**
 * Sets the level of a session (aal1: signed in; aal2: also with a code of a second factor) after a right code. Also records the
 * code as a proof of identity. `token` is the hash of a new token, which replaces the old token and makes it invalid; without
 * it, the token stays.
 */
export async function setLevel(tx: Tx, id: string, level: 'aal1' | 'aal2', token?: string): Promise<void> {
  await tx
    .update(session)
    .set({ level, provedAt: sql`now()`, ...(token ? { token } : {}) })
    .where(eq(session.id, id))
}

/**
 * Sets all sessions of level aal2 (signed in with a code) to level aal1, because the second factor of the account was removed.
 */
export async function levelAll(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(session)
    .set({ level: 'aal1' })
    .where(and(eq(session.userId, userId), eq(session.level, 'aal2')))
}

/** Returns whether an account with this id exists. */
export async function hasAccount(tx: Tx, id: string): Promise<boolean> {
  return (await tx.$count(user, eq(user.id, id))) > 0
}
