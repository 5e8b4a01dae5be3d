import { asOwner } from '#server/db/client.ts'
import { mailEnabled } from '#server/lib/mail.ts'
import { hasSignedIn } from '#server/profiles/index.ts'
import { confirmEmail, deletePassword, findCredentialByEmail } from './credential-queries.ts'
import { deleteRecoveryLinks } from './recovery-queries.ts'

/**
 * Gives an account that waits for its confirmation to the person whose address a provider has checked. Somebody else may
 * have made it with a password of theirs, so the password goes. An account that has been used stays as it is: without
 * mail people sign in before anybody has checked their address, and what they stored is not the provider's to hand over.
 */
export async function adoptUnconfirmed(email: string): Promise<void> {
  if (!mailEnabled()) return
  await asOwner(async (tx) => {
    const found = await findCredentialByEmail(tx, email)
    if (!found || found.emailVerified || (await hasSignedIn(tx, found.userId))) return
    await deletePassword(tx, found.userId)
    await deleteRecoveryLinks(tx, found.userId)
    await confirmEmail(tx, found.userId)
  })
}
