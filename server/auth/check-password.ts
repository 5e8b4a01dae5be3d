import { APIError } from 'better-auth/api'
import { asSystem } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { auth } from './auth.ts'
import { callerOf } from './caller.ts'
import { requireFreshProof } from './proof.ts'
import { noteProof } from './session-queries.ts'
import { requirePasswords } from './sign-up-rules.ts'

const WINDOW_MS = 10 * 60_000
const MOST_FAILURES = 10
/** Number of recent wrong passwords by user id. It limits guesses by a person who uses a page that another user left open. */
const failures = new Map<string, { count: number; until: number }>()

/**
 * Runs `check`, which compares a password with the password of an account, and returns its `result`. `isRight` is null if the
 * password was not compared. Throws 'too_many' with Retry-After after ten wrong passwords in ten minutes. A right password
 * deletes the count.
 */
export async function withinGuesses<T>(
  userId: string,
  check: () => Promise<{ isRight: boolean | null; result: T }>,
): Promise<T> {
  const now = performance.now()
  for (const [id, { until }] of failures) if (until < now) failures.delete(id)
  const failed = failures.get(userId) ?? { count: 0, until: now + WINDOW_MS }
  if (failed.count >= MOST_FAILURES)
    throw new AppError('too_many', 'Too many wrong passwords. Please try again later.', {
      retryAfter: Math.ceil((failed.until - now) / 1000),
    })
  // Counted before the check, so that concurrent guesses count.
  failed.count += 1
  failures.set(userId, failed)
  const { isRight, result } = await check().catch((error: unknown) => {
    failed.count -= 1
    throw error
  })
  if (isRight) failures.delete(userId)
  else if (isRight === null) failed.count -= 1
  return result
}

/**
 * Checks the password of the caller's account. Throws 'refused' for a wrong password, and 'too_many' after ten wrong passwords
 * in ten minutes.
 */
export async function checkPassword(headers: Headers, password: string): Promise<void> {
  const { userId } = await callerOf(headers)
  const verify = () =>
    auth()
      .api.verifyPassword({ headers, body: { password } })
      .then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof APIError)) throw error
          return false
        },
      )
  const isRight = await withinGuesses(userId, async () => {
    const result = await verify()
    return { isRight: result, result }
  })
  if (!isRight) throw wrongPassword()
}

const WRONG = 'The password is not right.'
/** Returns the error of a wrong password, as a message of the field `password`. */
export const wrongPassword = () => new AppError('refused', WRONG, { fields: { password: WRONG } })

/**
 * Checks the password of the caller and records it as a proof of identity in the session. Throws 'refused' for a wrong
 * password, 'too_many' after ten wrong passwords in ten minutes, and 'forbidden' when PASSWORD_SIGN_IN is off.
 */
export async function confirmPassword(headers: Headers, password: string): Promise<void> {
  requirePasswords()
  const { sessionId } = await callerOf(headers)
  await checkPassword(headers, password)
  await asSystem((tx) => noteProof(tx, sessionId))
}

/**
 * Throws 'proof_required' unless the caller proved their identity within the last `minutes`. The default is FRESH_MINUTES
 * (proof.ts).
 */
export const checkFreshProof = async (headers: Headers, minutes?: number): Promise<void> =>
  requireFreshProof(await callerOf(headers), minutes)
