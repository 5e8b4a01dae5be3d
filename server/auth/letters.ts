import { env, publicUrl } from '#server/lib/env.ts'
import { queueMail } from '#server/lib/mail.ts'
import { pages } from '#shared/paths.ts'

interface Reader {
  name: string
  email: string
}

/** Names are short, of letters, and hold no address of a web page or a mail box. */
const NAME = /^[\p{L}\p{M}\p{N}'’ .-]{1,60}$/u
const ADDRESS = /\p{L}\.\p{L}{2}/u

/**
 * Whoever signs up chooses the name, and may do so with somebody else's address: what reads like more than a name is left
 * out, so that nobody sends strangers words of their own from this server.
 */
function greetingOf({ name }: Reader): string {
  return NAME.test(name) && !ADDRESS.test(name) ? `Hello ${name},` : 'Hello,'
}

/** How long a confirmation link works. */
export const CONFIRMATION_SECONDS = 24 * 60 * 60

/** Sends the link that confirms an e-mail address. */
export function sendConfirmation(user: Reader, token: string): Promise<void> {
  return queueMail(user.email, {
    subject: `Confirm your e-mail address for ${env.PRODUCT_NAME}`,
    greeting: greetingOf(user),
    text: `please confirm that this address is yours with the password that you chose when you signed up to ${env.PRODUCT_NAME}.`,
    link: { label: 'Confirm the e-mail address', url: publicUrl() + pages.confirmEmail(token) },
    closing:
      'The link works for 24 hours. If you did not sign up, somebody else entered your address: ignore this e-mail.',
  })
}

/** Sends the link that leads to a new password. */
export function sendRecovery(user: Reader, token: string): Promise<void> {
  return queueMail(user.email, {
    subject: `A new password for ${env.PRODUCT_NAME}`,
    greeting: greetingOf(user),
    text: `somebody asked for a new password for your account at ${env.PRODUCT_NAME}. Choose one here:`,
    link: { label: 'Choose a new password', url: publicUrl() + pages.resetPassword(token) },
    closing: 'The link works once, for an hour. If it was not you, your password stays as it is.',
  })
}
