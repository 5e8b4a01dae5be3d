import { api } from '#shared/paths.ts'
import { PROFILE_FAILED, profile } from '#shared/profiles.ts'
import type { Profile } from '#shared/profiles.ts'
import { ApiError, messageOf, one, request } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'

const FETCH_LIMIT_MS = 5000

/** Who is signed in, as the session names them. */
export interface Account {
  id: string
  email: string
  name?: string | null | undefined
}

/** A profile, and whether it only stands in for one that cannot be read at the moment. */
export interface ReadProfile {
  profile: Profile
  standIn: boolean
}

/**
 * The account's profile, within 5000 ms. When that fails the one `known` so far stays; without one a default stands in,
 * which is never an admin's. Either way a notice says so: the work goes on.
 */
export async function readProfile(
  account: Account,
  known: ReadProfile | undefined,
  signal: AbortSignal,
): Promise<ReadProfile> {
  try {
    return { profile: await fetchProfile(account.id, signal), standIn: false }
  } catch (error) {
    if (signal.aborted) throw error
    const title = isUnmade(error)
      ? 'Error creating profile'
      : known
        ? 'Error refreshing profile'
        : 'Error fetching profile'
    // After the words of the sign-in, which takes earlier bad news away.
    setTimeout(() => toast({ title, description: wordsOf(error), destructive: true }))
    return known ?? { profile: defaultProfile(account), standIn: true }
  }
}

/** One try at the profile; fails after 5000 ms. */
export const fetchProfile = (id: string, signal: AbortSignal): Promise<Profile> =>
  request(api.profile(id), {
    schema: one(profile),
    signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_LIMIT_MS)]),
    // Whether the session still stands is asked of the session itself.
    keepSession: true,
  })

/** Whether the account has no profile, and the server could not make one. */
const isUnmade = (error: unknown) => error instanceof ApiError && error.message === PROFILE_FAILED

const wordsOf = (error: unknown) =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? 'The server took longer than 5 seconds to answer.'
    : messageOf(error)

/** What is shown while the profile cannot be read: never an admin. */
function defaultProfile(account: Account): Profile {
  const now = new Date().toISOString()
  return {
    id: account.id,
    email: account.email,
    full_name: account.name || (account.email.split('@')[0] ?? null),
    display_name: null,
    bio: null,
    avatar_url: null,
    is_admin: false,
    email_notifications: true,
    theme: 'system',
    font_size: 'medium',
    created_at: now,
    updated_at: now,
  }
}
