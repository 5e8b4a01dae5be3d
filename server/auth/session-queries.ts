import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { session, user } from '#server/db/tables/auth.ts'

/** The sessions of an account that still stand and are past the second step, the latest used first. */
export function findSessions(tx: Tx, userId: string) {
  const { id, userAgent, ipAddress, createdAt, updatedAt, expiresAt } = session
  return tx
    .select({ id, userAgent, ipAddress, createdAt, updatedAt, expiresAt })
    .from(session)
    .where(and(eq(session.userId, userId), gt(session.expiresAt, sql`now()`), ne(session.level, 'pending')))
    .orderBy(desc(session.updatedAt), desc(session.createdAt))
}

/** Ends one session of an account; false when it has none with this id. */
export async function deleteSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const gone = await tx
    .delete(session)
    .where(and(eq(session.userId, userId), eq(session.id, id)))
    .returning({ id: session.id })
  return gone.length > 0
}

/** Ends every session of an account but one, and says how many. */
export async function deleteOtherSessions(tx: Tx, userId: string, keptId: string): Promise<number> {
  const gone = await tx
    .delete(session)
    .where(and(eq(session.userId, userId), ne(session.id, keptId)))
    .returning({ id: session.id })
  return gone.length
}

/** Notes that the person behind a session has just proved who they are. */
export async function noteProof(tx: Tx, id: string): Promise<void> {
  await tx
    .update(session)
    .set({ provedAt: sql`now()` })
    .where(eq(session.id, id))
}

/** Sets the assurance level of one session after a right code, and its token (hashed) where it gets a new one: the old one is nobody's then. */
export async function setLevel(tx: Tx, id: string, level: 'aal1' | 'aal2', token?: string): Promise<void> {
  await tx
    .update(session)
    .set({ level, provedAt: sql`now()`, ...(token ? { token } : {}) })
    .where(eq(session.id, id))
}

/** Without a second factor no session of an account is more, or less, than one of a password. */
export async function levelAll(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(session)
    .set({ level: 'aal1' })
    .where(and(eq(session.userId, userId), eq(session.level, 'aal2')))
}

/** Whether there is an account of this id. */
export async function hasAccount(tx: Tx, id: string): Promise<boolean> {
  return (await tx.$count(user, eq(user.id, id))) > 0
}
