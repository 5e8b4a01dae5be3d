import { and, eq, inArray, isNull, not, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { user } from '#server/db/tables/auth.ts'
import { invitations } from '#server/db/tables/invitations.ts'
import { projects } from '#server/db/tables/projects.ts'
import { isClaimed, isOpen } from './queries.ts'

const accountOf = (tx: Tx, email: string) => tx.select({ email: user.email }).from(user).where(eq(user.email, email))

/**
 * Returns whether there is a valid invitation to this address; with `tokenHash`, whether the invitation with this token
 * is to this address. Needs a transaction of the system.
 */
export async function hasInvitation(tx: Tx, email: string, tokenHash?: string): Promise<boolean> {
  const isOfToken = tokenHash === undefined ? undefined : eq(invitations.token_hash, tokenHash)
  const rows = await tx
    .select({ id: invitations.id })
    .from(invitations)
    .innerJoin(projects, eq(projects.id, invitations.project_id))
    .where(and(eq(invitations.email, email), isOfToken, isOpen))
    .limit(1)
  return rows.length > 0
}

/** Returns whether an address has an account. Needs a transaction of the system. */
export async function isAddressTaken(tx: Tx, email: string): Promise<boolean> {
  return (await accountOf(tx, email)).length > 0
}

/**
 * Returns the id of the link with this token, and locks it, if it is for anyone and no other sign-up has claimed it. An
 * existing account can claim its link again, because it creates no second account.
 */
export async function lockUnclaimedLink(tx: Tx, email: string, tokenHash: string): Promise<string | undefined> {
  const isRepeated = and(eq(invitations.claimed_email, email), inArray(invitations.claimed_email, accountOf(tx, email)))
  const [found] = await tx
    .select({ id: invitations.id })
    .from(invitations)
    .innerJoin(projects, eq(projects.id, invitations.project_id))
    .where(
      and(eq(invitations.token_hash, tokenHash), isNull(invitations.email), isOpen, or(not(isClaimed), isRepeated)),
    )
    .for('update', { of: invitations })
  return found?.id
}

/** Claims a link for an address that signs up. */
export async function claimLink(tx: Tx, id: string, email: string): Promise<void> {
  await tx
    .update(invitations)
    .set({ claimed_email: email, claimed_at: sql`now()` })
    .where(eq(invitations.id, id))
}

/** Ends the claim of an address that has no account. Needs a transaction of the system. */
export async function endClaimWithoutAccount(tx: Tx, email: string, tokenHash: string): Promise<void> {
  const isOfAddress = and(eq(invitations.token_hash, tokenHash), eq(invitations.claimed_email, email))
  await tx
    .update(invitations)
    .set({ claimed_email: null, claimed_at: null })
    .where(and(isOfAddress, sql`not exists ${accountOf(tx, email)}`))
}
