import { openProfile } from '#server/profiles/index.ts'
import type { Actor } from '#server/lib/session.ts'
import type { Factor } from '#shared/accounts.ts'
import type { Profile } from '#shared/profiles.ts'
import { findSession } from './caller.ts'
import { factorsOf } from './factors.ts'

export interface SessionView {
  user: { id: string; email: string; name: string; emailVerified: boolean; factors: Factor[] }
  session: { id: string; expiresAt: string; aal: 'aal1' | 'aal2'; token?: string }
  /** Null while it cannot be made. */
  profile: Profile | null
}

/** Who is calling, from the cookie or the bearer token; null without a valid session. */
export async function readActor(headers: Headers): Promise<Actor | null> {
  if (!headers.has('cookie') && !headers.has('authorization')) return null
  const { found } = await findSession(headers)
  // Somebody whose second factor is still to be answered is nobody yet.
  if (!found || found.session.level === 'pending') return null
  const profile = await openProfile(found.user)
  return profile && { userId: found.user.id, isAdmin: profile.is_admin }
}

/**
 * The caller's session as the web app and API clients see it; null without one. Only a caller who sent a bearer token
 * gets a token back: a browser's token stays in its httpOnly cookie.
 */
export async function readSession(headers: Headers): Promise<{ view: SessionView | null; headers: Headers }> {
  const { found, out } = await findSession(headers)
  if (!found || found.session.level === 'pending') return { view: null, headers: out }
  // A profile that cannot be made at the moment is told by whoever asks for it: the session stands all the same.
  const profile = await openProfile(found.user).catch(() => undefined)
  if (profile === null) return { view: null, headers: out }
  // As it was sent: what the database knows of it opens nothing.
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
