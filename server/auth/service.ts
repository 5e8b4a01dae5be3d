import { openProfile } from '#server/profiles/index.ts'
import type { Actor } from '#server/db/actor.ts'
import type { Factor } from '#shared/contract/accounts.ts'
import type { Profile } from '#shared/contract/profiles.ts'
import { findSession } from './caller.ts'
import { factorsOf } from './factors.ts'

export interface SessionView {
  user: { id: string; email: string; name: string; emailVerified: boolean; factors: Factor[] }
  session: { id: string; expiresAt: string; aal: 'aal1' | 'aal2'; token?: string }
  /** Null if the profile could not be created. */
  profile: Profile | null
}

/** Returns the caller, identified by the cookie or the bearer token; null without a valid session. */
export async function readActor(headers: Headers): Promise<Actor | null> {
  if (!headers.has('cookie') && !headers.has('authorization')) return null
  const { found } = await findSession(headers)
  // A session without its second step gives no access.
  if (!found || found.session.level === 'pending') return null
  const profile = await openProfile(found.user)
  return profile && { userId: found.user.id, isAdmin: profile.is_admin }
}

/**
 * Returns the caller's session for the web app and API clients as `view`, and the response headers of the auth library as
 * `headers`. `view` is null without a session, for a disabled account, and while the session waits for the code of a second
 * factor. It contains a token only if the caller sent a bearer token: a browser's token stays in its httpOnly cookie.
 */
export async function readSession(headers: Headers): Promise<{ view: SessionView | null; headers: Headers }> {
  const { found, out } = await findSession(headers)
  if (!found || found.session.level === 'pending') return { view: null, headers: out }
  // Routes that need the profile report a failure to create it: the session is valid anyway.
  const profile = await openProfile(found.user).catch(() => undefined)
  if (profile === null) return { view: null, headers: out }
  // The token as sent: the database has only its hash.
  const token = /^bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return {
    view: {
      user: {
        id: found.user.id,
        email: found.user.email,
        name: found.user.name,
        emailVerified: found.user.emailVerified,
        factors: await factorsOf(found.user.id),
      },
      session: {
        id: found.session.id,
        expiresAt: new Date(found.session.expiresAt).toISOString(),
        aal: found.session.level === 'aal2' ? 'aal2' : 'aal1',
        ...(token ? { token } : {}),
      },
      profile: profile ?? null,
    },
    headers: out,
  }
}
