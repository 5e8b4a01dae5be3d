import { AppError } from '#server/lib/errors.ts'
import { noteUser } from '#server/lib/request-context.ts'
import { isDisabled } from '#server/profiles/index.ts'
import { auth } from './auth.ts'

const DAY_MS = 24 * 60 * 60_000
/** How long somebody may take from the password to the code. */
const SECOND_STEP_MS = 10 * 60_000
/** How long a session lasts at the most, however much it is used; unused, it ends after a fortnight (auth.ts). */
const LONGEST_SESSION_MS = 90 * DAY_MS
/** A session that began so far in the future began while the clock was wrong, and would last until then and longer. */
const AHEAD_MS = DAY_MS

/** Who holds the cookie or the token of a request, by the account library's word. */
export interface Caller {
  userId: string
  email: string
  sessionId: string
  /** 'pending': the password was right, and the code is still to come. */
  level: 'aal1' | 'aal2' | 'pending'
  expiresAt: Date
  /** When the person last proved who they are: by password, by a code, or by signing in. */
  provedAt: Date
}

/** The session of a request as the library finds it, whatever its level; null without one, or when its second step came too late. */
export async function findSession(headers: Headers) {
  const { response: found, headers: out } = await auth().api.getSession({ headers, returnHeaders: true })
  if (!found) return { found, out }
  const age = Date.now() - found.session.createdAt.getTime()
  const over = age < -AHEAD_MS || age > (found.session.level === 'pending' ? SECOND_STEP_MS : LONGEST_SESSION_MS)
  return { found: over ? null : found, out }
}

/** The caller who is signed in, or (with `pending`) about to be; refuses everybody else. */
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
