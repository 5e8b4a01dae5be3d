import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { account, user } from '#server/db/tables/auth.ts'

const CREDENTIAL = 'credential'
const shown = {
  userId: user.id,
  name: user.name,
  email: user.email,
  emailVerified: user.emailVerified,
  passwordHash: account.password,
}

/** An account and the hash of its password; `passwordHash` is null without a password. */
export type Credential = Awaited<ReturnType<typeof selectCredentials>>[number]

/** Returns the account with this e-mail address (any letter case) and the hash of its password, or undefined. */
export async function findCredentialByEmail(tx: Tx, email: string): Promise<Credential | undefined> {
  const [found] = await selectCredentials(tx).where(eq(user.email, email.trim().toLowerCase()))
  return found
}

/** Returns the account with this id and the hash of its password, or undefined. */
export async function findCredential(tx: Tx, userId: string): Promise<Credential | undefined> {
  const [found] = await selectCredentials(tx).where(eq(user.id, userId))
  return found
}

/**
 * Marks the account's address as confirmed. If it was not confirmed before, deletes the account's links to users of the sign-in
 * provider: another person could have created the account with a provider that does not verify addresses.
 */
export async function confirmEmail(tx: Tx, userId: string): Promise<void> {
  const confirmed = await tx
    .update(user)
    .set({ emailVerified: true, updatedAt: new Date() })
    .where(and(eq(user.id, userId), eq(user.emailVerified, false)))
    .returning({ id: user.id })
  if (confirmed.length > 0)
    await tx.delete(account).where(and(eq(account.userId, userId), ne(account.providerId, CREDENTIAL)))
}

/** Deletes the password of an account. */
export async function deletePassword(tx: Tx, userId: string): Promise<void> {
  await tx.delete(account).where(and(eq(account.userId, userId), eq(account.providerId, CREDENTIAL)))
}

function selectCredentials(tx: Tx) {
  const own = and(eq(account.userId, user.id), eq(account.providerId, CREDENTIAL))
  return tx.select(shown).from(user).leftJoin(account, own)
}
