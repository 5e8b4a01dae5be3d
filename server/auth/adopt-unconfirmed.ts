import { asSystem } from '#server/db/client.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { hasSignedIn } from '#server/profiles/index.ts'
import { confirmEmail, deletePassword, findCredentialByEmail } from './credential-queries.ts'
import { deleteRecoveryLinks } from './recovery-queries.ts'

/**
 * Confirms an unconfirmed account when a sign-in provider has verified its address. Deletes its password, provider links and
 * recovery links, because another person could have created it with a sign-in of their own. Does nothing if the server sends no
 * e-mail, or if a user has signed in to the account: then it can contain data of another person, which the provider's user must
 * not get.
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
