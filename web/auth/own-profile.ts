import { api } from '#shared/contract/paths.ts'
import { PROFILE_FAILED, profile } from '#shared/contract/profiles.ts'
import type { Profile } from '#shared/contract/profiles.ts'
import { ApiError, messageOf, one, request } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'

const FETCH_LIMIT_MS = 5000

/** The account fields of the session. */
export interface Account {
  id: string
  email: string
  name?: string | null | undefined
}

/** A profile, and whether it is a placeholder for a profile that could not be read. */
export interface ReadProfile {
  profile: Profile
  standIn: boolean
}

/**
 * Reads the account's profile with a timeout of 5000 ms. After a failure it shows a toast and returns the `known`
 * profile, or a default without administrator rights. Throws only if `signal` is aborted.
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
    // Delayed, because the sign-in dismisses the current toast.
    setTimeout(() => toast({ title, description: wordsOf(error), destructive: true }))
    return known ?? { profile: defaultProfile(account), standIn: true }
  }
}

/** Fetches the profile of the user `id`, with a timeout of 5000 ms. An error does not end the session. */
export const fetchProfile = (id: string, signal: AbortSignal): Promise<Profile> =>
  request(api.profile(id), {
    schema: one(profile),
    signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_LIMIT_MS)]),
    // A 401 here must not end the session: the session query decides.
    keepSession: true,
  })

/** Returns true if the account has no profile and the server could not create one. */
const isUnmade = (error: unknown) => error instanceof ApiError && error.message === PROFILE_FAILED

const wordsOf = (error: unknown) =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? 'The server took longer than 5 seconds to answer.'
    : messageOf(error)

/** Placeholder profile without administrator rights. */
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
    version: 0,
  }
}
