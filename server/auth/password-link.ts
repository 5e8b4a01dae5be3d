import { randomBytes } from 'node:crypto'
import { asSystem } from '#server/db/client.ts'
import { publicUrl } from '#server/lib/env.ts'
import { pages } from '#shared/contract/paths.ts'
import type { PasswordLink } from '#shared/contract/people.ts'
import { auth } from './auth.ts'
import { confirmEmail, findCredentialByEmail } from './credential-queries.ts'
import { deleteOlderRecoveryLinks, deleteRecoveryLinks } from './recovery-queries.ts'
import { deleteAllSessions } from './session-queries.ts'
import { requirePasswords } from './sign-up-rules.ts'

/**
 * Lifetime of a password link in hours. It is long because an administrator passes the link on in person or by another channel.
 */
const LINK_HOURS = 24

/**
 * Creates a link with which a user chooses a new password, and invalidates earlier links. Throws 'forbidden' when
 * PASSWORD_SIGN_IN is off.
 */
export async function createPasswordLink(userId: string): Promise<PasswordLink> {
  requirePasswords()
  const token = randomBytes(24).toString('base64url')
  const expiresAt = new Date(Date.now() + LINK_HOURS * 3600_000)
  const { internalAdapter } = await auth().$context
  await internalAdapter.createVerificationValue({ value: userId, identifier: `reset-password:${token}`, expiresAt })
  await asSystem((tx) => deleteOlderRecoveryLinks(tx, userId))
  return { url: publicUrl() + pages.resetPassword(token), expires_at: expiresAt.toISOString() }
}

/**
 * Sets the password of an account, confirms its address (see confirmEmail, which can delete links to the sign-in provider), and
 * ends its sessions and recovery links. Throws 'forbidden' when PASSWORD_SIGN_IN is off.
 */
export async function setPassword(userId: string, password: string): Promise<void> {
  requirePasswords()
  const { internalAdapter, password: passwords } = await auth().$context
  const hash = await passwords.hash(password)
  if (await internalAdapter.findCredentialAccount(userId)) await internalAdapter.updatePassword(userId, hash)
  else await internalAdapter.createAccount({ userId, providerId: 'credential', accountId: userId, password: hash })
  await asSystem(async (tx) => {
    await confirmEmail(tx, userId)
    await deleteRecoveryLinks(tx, userId)
    await deleteAllSessions(tx, userId)
  })
}

/**
 * Creates an account without a password, also if SIGN_UP does not allow new accounts. Its address counts as confirmed. Returns
 * the account's id, or null if the address already has an account.
 */
export async function createAccount(account: { email: string; name: string }): Promise<string | null> {
  const email = account.email.trim().toLowerCase()
  if (await asSystem((tx) => findCredentialByEmail(tx, email))) return null
  const { internalAdapter } = await auth().$context
  const { id } = await internalAdapter.createUser(
    { email, name: account.name, emailVerified: true },
    { method: 'email-password' },
  )
  return id
}
