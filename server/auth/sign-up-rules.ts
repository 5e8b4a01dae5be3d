import { env } from '#server/lib/env.ts'
import { admitInvited } from '#server/invitations/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { oidcName } from './providers.ts'

/**
 * The reason why an address cannot sign up: the server allows no sign-up, the address has no invitation, its domain is not
 * allowed, or the sign-in provider has not confirmed it. The values are also error codes of the sign-in page
 * (web/auth/provider-refusal.ts).
 */
export type SignUpRefusal = 'sign_up_closed' | 'sign_up_invited' | 'sign_up_domain' | 'address_unconfirmed'

/**
 * An address that signs up. `invitation` is the token of an invitation. `isConfirmed`: whether the sign-in provider has
 * confirmed the address; undefined without a provider.
 */
interface NewAddress {
  email: string
  invitation?: string | undefined
  isConfirmed?: boolean
}

/**
 * Returns why the settings SIGN_UP and SIGN_UP_DOMAINS refuse a new account with this address, or null if they allow it. If
 * SIGN_UP is 'invited', the address needs an invitation, and SIGN_UP_DOMAINS does not apply. Otherwise SIGN_UP_DOMAINS also
 * applies to invited users, because each user could invite strangers. A subdomain is another domain. An invitation link that
 * any person may use is reserved for the address, so call `endFailedClaim` if the sign-up fails. A server with e-mail refuses
 * addresses that the provider has not confirmed, because a user without a password cannot confirm them.
 */
export async function signUpRefusal({ email, invitation, isConfirmed }: NewAddress): Promise<SignUpRefusal | null> {
  if (env.SIGN_UP === 'closed') return 'sign_up_closed'
  if (isConfirmed === false && mailEnabled()) {
    log.warn('the sign-in provider does not confirm the address of a new user; see OIDC_TRUST_EMAIL in docs/sign-in.md')
    return 'address_unconfirmed'
  }
  if (env.SIGN_UP === 'invited') {
    const isAdmitted =
      (invitation !== undefined && (await admitInvited(email, invitation))) ||
      (isConfirmed === true && (await admitInvited(email)))
    return isAdmitted ? null : 'sign_up_invited'
  }
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return env.SIGN_UP_DOMAINS.length === 0 || env.SIGN_UP_DOMAINS.includes(domain) ? null : 'sign_up_domain'
}

/**
 * Throws an error if the settings do not allow a new account with this address: 'refused' for an address of another domain,
 * 'forbidden' if sign-up is closed or needs an invitation. The error does not depend on whether the address already has an
 * account.
 */
export async function requireSignUp(sent: NewAddress): Promise<void> {
  const refusal = await signUpRefusal(sent)
  if (refusal === 'sign_up_closed')
    throw new AppError('forbidden', 'Sign-up is closed. Ask an administrator for an account.')
  if (refusal === 'sign_up_invited') throw new AppError('forbidden', NEEDS_INVITATION)
  if (refusal === 'sign_up_domain') {
    const message = `Sign up with an address of ${env.SIGN_UP_DOMAINS.join(' or ')}.`
    throw new AppError('refused', message, { fields: { email: message } })
  }
}

const NEEDS_INVITATION = 'Sign up with the link of an invitation, and with the address that it was sent to.'

/** Throws 'forbidden' when PASSWORD_SIGN_IN is off. */
export function requirePasswords(): void {
  if (!env.PASSWORD_SIGN_IN)
    throw new AppError('forbidden', `Passwords are turned off. Sign in with ${oidcName() ?? 'the provider'}.`)
}
