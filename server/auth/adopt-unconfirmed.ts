import { asSystem } from '#server/db/client.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { hasSignedIn } from '#server/profiles/index.ts'
import { confirmEmail, deletePassword, findCredentialByEmail } from './credential-queries.ts'
import { deleteRecoveryLinks } from './recovery-queries.ts'

/**
 * Confirms an unconfirmed account whose address a provider has verified, and deletes its password and recovery links, because
 * another user could have created it with their own password. Does nothing without e-mail and for an account to which a user has
 * signed in: without e-mail, users sign in before their address is verified, and their data must not go to the provider's user.
 */
export async function adoptUnconfirmed(email: string): Promise<void> {
  if (!mailEnabled()) return
  await asSystem(async (tx) => {
    const found = await findCredentialByEmail(tx, email)
    if (!found || found.emailVerified || (await hasSignedIn(tx, found.userId))) return
    await deletePassword(tx, found.userId)
    await deleteRecoveryLinks(tx, found.userId)
    await confirmEmail(tx, found.userId)
  })
}
