import { ACCOUNT_DISABLED } from '#shared/contract/people.ts'

const ASK_ADMINISTRATOR = 'Ask an administrator of this server.'

/**
 * Returns the message for an error code that a failed sign-in with the provider adds to the URL. `hasPasswords` is false if
 * PASSWORD_SIGN_IN is off.
 */
export function refusalOf(code: string, hasPasswords: boolean): string {
  if (code === 'account_not_linked')
    return `An account with this email exists here already. ${hasPasswords ? 'Sign in with its password.' : ASK_ADMINISTRATOR}`
  if (code === 'account_disabled') return ACCOUNT_DISABLED
  if (code === 'sign_up_closed') return 'You have no account here. Ask an administrator for one.'
  if (code === 'sign_up_invited')
    return 'You have no account here. An owner of a project can invite your email address.'
  if (code === 'sign_up_domain') return 'Addresses of this domain cannot sign up here.'
  if (code === 'access_denied') return 'The sign-in was cancelled.'
  if (code === 'address_unconfirmed')
    return 'The provider does not confirm your email address. Ask the operator of this server.'
  if (code === 'email_not_verified')
    return `Your email address is not confirmed. ${hasPasswords ? "'Forgot password?' sends you a link that confirms it." : ASK_ADMINISTRATOR}`
  if (code === 'email_not_found') return 'The provider did not send your email address.'
  return 'The provider could not sign you in. Try again.'
}
