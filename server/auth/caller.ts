import { isAPIError } from 'better-auth/api'
import { asSystem } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { noteUser } from '#server/lib/request-context.ts'
import { isDisabled } from '#server/profiles/index.ts'
import { auth } from './auth.ts'
import type { Caller } from './caller-type.ts'
import { hasAccount, LONGEST_SESSION_MS, SECOND_STEP_MS } from './session-queries.ts'

/**
 * Returns the session of a request as `found`, and the response headers of the auth library as `out`. `found` can be a session
 * that still waits for the code of a second factor. `found` is null without a session, if the session has expired, or if the
 * time limit for the code is over.
 */
export async function findSession(headers: Headers) {
  const { response: found, headers: out } = await auth().api.getSession({ headers, returnHeaders: true }).catch(explain)
  if (!found) return { found, out }
  const age = Date.now() - found.session.createdAt.getTime()
  const over = age > (found.session.level === 'pending' ? SECOND_STEP_MS : LONGEST_SESSION_MS)
  return { found: over ? null : found, out }
}

/**
 * Throws the reason why a session could not be read. The library hides it behind a status 500: if the database is unavailable,
 * a query fails with the reason. Otherwise throws `error` itself.
 */
async function explain(error: unknown): Promise<never> {
  if (isAPIError(error) && error.statusCode === 500) await asSystem((tx) => hasAccount(tx, ''))
  throw error
}

/**
 * Returns the caller of a valid session. Throws 'no_session' if there is no session or the account is disabled. Also throws it
 * for a session that still needs the code of a second factor, unless `pending` is true.
 */
export async function callerOf(headers: Headers, { pending = false } = {}): Promise<Caller> {
  const { found } = await findSession(headers)
  if (!found || (found.session.level === 'pending' && !pending))
    throw new AppError('no_session', 'You are not logged in.')
  const { user, session } = found
  if (await isDisabled(user.id)) throw new AppError('no_session', 'You are not logged in.')
  noteUser(user.id)
  return {
    userId: user.id,
    email: user.email,
    sessionId: session.id,
    level: session.level as Caller['level'],
    expiresAt: session.expiresAt,
    provedAt: session.provedAt,
  }
}
