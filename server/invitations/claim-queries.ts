import { and, eq, inArray, isNull, not, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { user } from '#server/db/tables/auth.ts'
import { invitations } from '#server/db/tables/invitations.ts'
import { projects } from '#server/db/tables/projects.ts'
import { isClaimed, isOpen } from './queries.ts'

const accountOf = (tx: Tx, email: string) => tx.select({ email: user.email }).from(user).where(eq(user.email, email))

/**
 * Returns whether a valid invitation to this e-mail address exists. With `tokenHash`, it must be the invitation with this
 * token. Needs a transaction without row-level security.
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

/** Returns whether an address has an account. Needs a transaction without row-level security. */
export async function isAddressTaken(tx: Tx, email: string): Promise<boolean> {
  return (await accountOf(tx, email)).length > 0
}

/**
 * Locks the invitation link with this token and returns its id, if the address `email` may claim it (reserve it for a sign-up).
 * The link must be usable by any person, and must not be claimed by another address. An address with an account can only repeat
 * the claim of a link that it has claimed before, because this creates no second account.
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

/** Reserves an invitation link for the address that signs up with it. */
export async function claimLink(tx: Tx, id: string, email: string): Promise<void> {
  await tx
    .update(invitations)
    .set({ claimed_email: email, claimed_at: sql`now()` })
    .where(eq(invitations.id, id))
}

/**
 * Ends the reservation of an invitation link by an address, if the address has no account. Needs a transaction without
 * row-level security.
 */
export async function endClaimWithoutAccount(tx: Tx, email: string, tokenHash: string): Promise<void> {
  const isOfAddress = and(eq(invitations.token_hash, tokenHash), eq(invitations.claimed_email, email))
  await tx
    .update(invitations)
    .set({ claimed_email: null, claimed_at: null })
    .where(and(isOfAddress, sql`not exists ${accountOf(tx, email)}`))
}
