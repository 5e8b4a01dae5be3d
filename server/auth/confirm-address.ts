import { createEmailVerificationToken } from 'better-auth/api'
import { verifyJWT } from 'better-auth/crypto'
import { z } from 'zod'
import { asSystem } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { countRequest } from '#server/http/rate-limit.ts'
import { auth } from './auth.ts'
import { confirmEmail, type Credential, findCredential, findCredentialByEmail } from './credential-queries.ts'
import { CONFIRMATION_SECONDS, sendAccountNotice, sendConfirmation } from './emails.ts'
import { authSecret } from './secret.ts'

const EXPIRED = 'This link has expired. Sign in to get a new one.'
const claims = z.object({ email: z.string(), updateTo: z.undefined().optional() })

/**
 * Returns the e-mail address that a confirmation link confirms. Throws 'malformed' if the link's token is invalid or expired.
 */
export async function readConfirmation(token: string): Promise<string> {
  const found = claims.safeParse(await verifyJWT(token, authSecret()).catch(() => null))
  if (!found.success) throw new AppError('malformed', EXPIRED)
  return found.data.email
}

/**
 * Confirms the address of an account if the password is right, and returns whether it is right. The link in the e-mail is not
 * enough: it proves that the reader owns the mailbox, but another person could have created the account with another password.
 */
export async function confirmAddress(email: string, password: string): Promise<boolean> {
  const credential = await asSystem((tx) => findCredentialByEmail(tx, email))
  const passwords = (await auth().$context).password
  if (!credential?.passwordHash) {
    // Takes as long as a wrong password.
    await passwords.hash(password)
    return false
  }
  if (!(await passwords.verify({ hash: credential.passwordHash, password }))) return false
  await asSystem(async (tx) => {
    // The account's password must still be the one that was checked.
    const now = await findCredential(tx, credential.userId)
    if (now?.passwordHash === credential.passwordHash) await confirmEmail(tx, credential.userId)
  })
  return true
}

/**
 * Sends another confirmation link to an account's address, and returns true. `back` is the page that opens afterwards. Sends
 * nothing and returns false if there is no account, or if the address has reached the hourly limit of such e-mails.
 */
export async function sendConfirmationAgain(email: string, back: string | null): Promise<boolean> {
  const credential = await asSystem((tx) => findCredentialByEmail(tx, email))
  if (!credential || !(await isWithinLimit(credential.email))) return false
  await sendLink(credential, back)
  return true
}

async function sendLink(credential: Credential, back: string | null): Promise<void> {
  const token = await createEmailVerificationToken(authSecret(), credential.email, undefined, CONFIRMATION_SECONDS)
  await sendConfirmation(credential, token, back)
}

/**
 * Sends an e-mail to the address of an account with which a visitor has tried to sign up: a confirmation link if the address is
 * not confirmed, or a notice. An account without a password gets the notice, because a confirmation needs the password. `back`
 * is the page of an invitation, which opens afterwards. Sends nothing above the hourly limit.
 */
export async function notifyExistingAccount(email: string, back: string | null): Promise<void> {
  const credential = await asSystem((tx) => findCredentialByEmail(tx, email))
  if (!credential || !(await isWithinLimit(credential.email))) return
  const canConfirm = !credential.emailVerified && credential.passwordHash !== null
  await (canConfirm ? sendLink(credential, back) : sendAccountNotice(credential, back))
}

/** Counts an e-mail to an address, and returns false if the address has reached the hourly limit. */
const isWithinLimit = (email: string) =>
  countRequest('recovery', { person: email }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'too_many') return false
      throw error
    },
  )
