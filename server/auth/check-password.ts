import { APIError } from 'better-auth/api'
import { asOwner } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { auth } from './auth.ts'
import { callerOf } from './caller.ts'
import { requireFreshProof } from './proof.ts'
import { noteProof } from './session-queries.ts'

const WINDOW_MS = 10 * 60_000
const MOST_FAILURES = 10
/** Wrong passwords of late, by account: whoever finds an open page must not be able to try many. */
const failures = new Map<string, { count: number; until: number }>()

/** Refuses unless `password` is that of the account which asks. */
export async function checkPassword(headers: Headers, password: string): Promise<void> {
  const { userId } = await callerOf(headers)
  const now = performance.now()
  for (const [id, { until }] of failures) if (until < now) failures.delete(id)
  const failed = failures.get(userId) ?? { count: 0, until: now + WINDOW_MS }
  if (failed.count >= MOST_FAILURES)
    throw new AppError('too_many', 'Too many wrong passwords. Please try again later.', {
      retryAfter: Math.ceil((failed.until - now) / 1000),
    })
  // Counted before it is judged: many that are tried at the same time are many.
  failed.count += 1
  failures.set(userId, failed)
  await auth()
    .api.verifyPassword({ headers, body: { password } })
    .catch((error: unknown) => {
      if (!(error instanceof APIError)) {
        failed.count -= 1
        throw error
      }
      throw wrongPassword()
    })
  failures.delete(userId)
}

const WRONG = 'The password is not right.'
export const wrongPassword = () => new AppError('refused', WRONG, { fields: { password: WRONG } })

/** Takes the caller's password as a proof of who they are; a wrong one is refused, and counted. */
export async function confirmPassword(headers: Headers, password: string): Promise<void> {
  const { sessionId } = await callerOf(headers)
  await checkPassword(headers, password)
  await asOwner((tx) => noteProof(tx, sessionId))
}

/** Refuses unless the caller of a request has proved of late who they are (proof.ts). */
export const checkFreshProof = async (headers: Headers): Promise<void> => requireFreshProof(await callerOf(headers))
