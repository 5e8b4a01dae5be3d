import { randomBytes, timingSafeEqual } from 'node:crypto'
import { generateCookie, getCookie } from 'hono/cookie'
import { asSystem } from '#server/db/client.ts'
import type { AppContext } from '#server/http/router.ts'
import { DEVICE_COOKIE } from './auth.ts'
import { type Credential, findCredential, findCredentialByEmail } from './credential-queries.ts'
import { findFactors } from './factor-queries.ts'
import { signDevice } from './secret.ts'

/**
 * Separates the marks in the device cookie (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). A mark is a random
 * value that a successful sign-in stores in the browser, with a signature over the value, the account and the hash of its
 * password; a new password invalidates it. Wrong passwords are counted per mark, so that guesses from other browsers do not
 * lock this one out. A mark gives no access.
 */
const SEPARATOR = '~'
const NONCE_BYTES = 16
/**
 * Maximum number of marks (signed values, see SEPARATOR) in the device cookie: for each of five accounts, a mark for the
 * password and a mark for the code of the second factor. A new mark replaces the least recently used mark.
 */
const MARKS = 10
const LIFETIME_SECONDS = 180 * 24 * 60 * 60

/**
 * Returns the mark (a signed random value in the device cookie) that this browser received when the account signed in before;
 * null if it has no valid mark for the account and its current password. Wrong passwords from a browser with a mark are counted
 * by the mark.
 */
export async function deviceForPassword(context: AppContext, email: string): Promise<string | null> {
  if (marksOf(context).length === 0) return null
  const credential = await asSystem((tx) => findCredentialByEmail(tx, email))
  return credential ? findMark(context, passwordOf(credential)) : null
}

/**
 * Returns the mark (a signed random value in the device cookie) that this browser received when it completed a sign-in with
 * this second factor before; null if it has no valid mark for the factor. Wrong codes from a browser with a mark are counted by
 * the mark.
 */
export async function deviceForCode(context: AppContext, userId: string, factorId: string): Promise<string | null> {
  if (marksOf(context).length === 0) return null
  const credential = await asSystem((tx) => findCredential(tx, userId))
  return credential ? findMark(context, codeOf(credential, factorId)) : null
}

/**
 * Returns the Set-Cookie header that stores a mark (a signed random value that identifies the browser) for an account in this
 * browser. With `code`, it also stores a mark for each second factor of the account. Set `code` only after a correct code:
 * otherwise a person who knows the password could guess codes without limit.
 */
export async function markDevice(context: AppContext, userId: string, { code = false } = {}): Promise<string> {
  const { credential, factors } = await asSystem(async (tx) => ({
    credential: await findCredential(tx, userId),
    factors: code ? await findFactors(tx, userId) : [],
  }))
  const subjects = credential
    ? [
        ...factors.filter(({ status }) => status === 'verified').map(({ id }) => codeOf(credential, id)),
        ...(credential.passwordHash === null ? [] : [passwordOf(credential)]),
      ]
    : []
  let marks = marksOf(context)
  for (const subject of subjects) {
    const own = marks.find((mark) => isMarkOf(mark, subject)) ?? newMark(subject)
    marks = [own, ...marks.filter((mark) => mark !== own)]
  }
  return generateCookie(DEVICE_COOKIE, marks.slice(0, MARKS).join(SEPARATOR), {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: DEVICE_COOKIE.startsWith('__Host-'),
    maxAge: LIFETIME_SECONDS,
  })
}

const passwordOf = ({ userId, passwordHash }: Credential) => `password ${userId} ${passwordHash}`
const codeOf = ({ userId, passwordHash }: Credential, factorId: string) => `code ${userId} ${factorId} ${passwordHash}`

/** Returns the marks in the device cookie that the browser sent, valid or not, but at most MARKS. */
const marksOf = (context: AppContext) =>
  (getCookie(context, DEVICE_COOKIE) ?? '').split(SEPARATOR).filter(Boolean).slice(0, MARKS)

const findMark = (context: AppContext, subject: string) =>
  marksOf(context).find((mark) => isMarkOf(mark, subject)) ?? null

const newMark = (subject: string) => markOf(randomBytes(NONCE_BYTES).toString('base64url'), subject)

const markOf = (nonce: string, subject: string) => `${nonce}.${signDevice(nonce, subject)}`

/**
 * Returns whether this server signed the mark (a random value in the device cookie) for `subject`, an account or second factor.
 * Compares the whole mark, because otherwise a mark with additional characters would be valid and have a separate count of
 * wrong passwords.
 */
function isMarkOf(mark: string, subject: string): boolean {
  const [nonce = ''] = mark.split('.')
  const [given, right] = [Buffer.from(mark), Buffer.from(markOf(nonce, subject))]
  return given.length === right.length && timingSafeEqual(given, right)
}
