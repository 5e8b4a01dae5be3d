import type { Tx } from '#server/db/client.ts'
import { env, publicUrl } from '#server/lib/env.ts'
import { addMail, queueMail } from '#server/mail/mail.ts'
import { pages } from '#shared/contract/paths.ts'

interface Reader {
  name: string
  email: string
}

/** A text that can be a name: up to 60 letters, digits, spaces, apostrophes, dots and hyphens. */
const NAME = /^[\p{L}\p{M}\p{N}'’ .-]{1,60}$/u
const ADDRESS = /\p{L}\.\p{L}{2}/u

/**
 * Returns the greeting of an e-mail. It contains the name only if it looks like a name: a visitor can sign up with the address
 * of a stranger and with any text as the name, and the server must not send this text to the stranger.
 */
function greetingOf({ name }: Reader): string {
  return NAME.test(name) && !ADDRESS.test(name) ? `Hello ${name},` : 'Hello,'
}

/** Lifetimes of a confirmation link and of a recovery link, in seconds. */
export const CONFIRMATION_SECONDS = 24 * 60 * 60
export const RECOVERY_SECONDS = 60 * 60

/** Sends the link that confirms an e-mail address. `back` is the page of an invitation, which opens after the confirmation. */
export function sendConfirmation(user: Reader, token: string, back: string | null): Promise<void> {
  return queueMail(user.email, {
    subject: `Confirm your e-mail address for ${env.PRODUCT_NAME}`,
    greeting: greetingOf(user),
    text: `please confirm that this address is yours with the password that you chose when you first signed up to ${env.PRODUCT_NAME}. If you do not know this password, use 'Forgot password?' on the sign-in page.`,
    link: {
      label: 'Confirm the e-mail address',
      url: publicUrl() + pages.confirmEmail(token, invitationOr(back)),
      seconds: CONFIRMATION_SECONDS,
    },
    closing:
      'The link works for 24 hours. If you did not sign up, another person entered your address: ignore this e-mail.',
  })
}

/**
 * Notifies the user of an account that a visitor tried to sign up with its address. `back` is the page of an invitation, which
 * the link opens.
 */
export function sendAccountNotice(user: Reader, back: string | null): Promise<void> {
  return queueMail(user.email, {
    subject: `You have an account at ${env.PRODUCT_NAME}`,
    greeting: greetingOf(user),
    text: `this address was entered in a sign-up to ${env.PRODUCT_NAME}, but an account with this address exists already. Sign in, or choose a new password with 'Forgot password?':`,
    link: { label: 'Sign in', url: publicUrl() + (invitationOr(back) ?? pages.auth()) },
    closing: 'If you did not sign up, another person entered your address: ignore this e-mail. Nothing has changed.',
  })
}

/** Sends the link with which the user chooses a new password. `back` is the page of an invitation, which opens afterwards. */
export function sendRecovery(user: Reader, token: string, back: string | null): Promise<void> {
  return queueMail(user.email, {
    subject: `A new password for ${env.PRODUCT_NAME}`,
    greeting: greetingOf(user),
    text: `a new password was requested for your account at ${env.PRODUCT_NAME}. Choose one here:`,
    link: {
      label: 'Choose a new password',
      url: publicUrl() + pages.resetPassword(token, invitationOr(back)),
      seconds: RECOVERY_SECONDS,
    },
    closing:
      'The link works once, for an hour. If you did not request it, ignore this e-mail: your password does not change.',
  })
}

/**
 * Notifies the user of an account, in the transaction `tx`, that an administrator created a password link. The e-mail does not
 * contain the link, which the administrator passes on.
 */
export function addPasswordLinkNotice(tx: Tx, email: string): Promise<void> {
  return addMail(tx, email, {
    subject: `A link for a new password at ${env.PRODUCT_NAME}`,
    greeting: 'Hello,',
    text: `an administrator created a link with which a new password can be set for your account at ${env.PRODUCT_NAME}. The administrator passes it on to you.`,
    link: { label: `Open ${env.PRODUCT_NAME}`, url: publicUrl() },
    closing: 'If you did not ask for a new password, ask an administrator why the link was created.',
  })
}

const invitationOr = (back: string | null) => (back?.startsWith(pages.invitation('')) ? back : undefined)
