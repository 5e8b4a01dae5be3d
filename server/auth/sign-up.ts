import { asSystem } from '#server/db/client.ts'
import type { AppContext } from '#server/http/router.ts'
import { AppError } from '#server/lib/errors.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { pages } from '#shared/contract/paths.ts'
import { PROFILE_FAILED } from '#shared/contract/profiles.ts'
import { withoutProfile } from './auth.ts'
import { notifyExistingAccount } from './confirm-address.ts'
import { forward } from './forward.ts'
import { EMAIL_TAKEN } from './refusals.ts'
import { hasAccount } from './session-queries.ts'

/**
 * Creates an account with a password and returns the auth library's response. With an invitation, the link in the confirmation
 * e-mail also opens the invitation. For an existing address, the response is that of a new address and the owner of the address
 * gets an e-mail; without e-mail, throws 'refused'. Passes only e-mail, name and password to the library, because a visitor
 * must not set other fields.
 */
export async function signUp(
  context: AppContext,
  account: { email: string; name: string; password: unknown; invitation: string | undefined },
): Promise<Response> {
  const { invitation, ...given } = account
  const back = invitation === undefined ? null : pages.invitation(invitation)
  const answer = await forward(context, { ...given, ...(back === null ? {} : { callbackURL: back }) })
  if (!answer.ok) return answer
  const { user } = (await answer.clone().json()) as { user: { id: string } }
  // For an existing address the library returns a made-up account. That preserves secrecy when an e-mail notifies the
  // owner; without e-mail, users would try to sign in with a password that does not work.
  if (!(await asSystem((tx) => hasAccount(tx, user.id)))) {
    if (!mailEnabled()) throw new AppError('refused', EMAIL_TAKEN, { fields: { email: EMAIL_TAKEN } })
    await notifyExistingAccount(account.email, back)
  }
  if (withoutProfile.delete(user.id)) throw new AppError('internal', PROFILE_FAILED)
  return answer
}
