import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '#shared/paths.ts'
import { profile } from '#shared/profiles.ts'
import type { Profile, ProfilePatch } from '#shared/profiles.ts'
import { anything, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { dismissBadNews } from '#web/lib/toasts.tsx'
import { SESSION_KEY, endSession, loseSession } from './session-end.ts'

const sessionView = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string().nullish() }),
    session: z.object({ expiresAt: z.string() }),
    profile: profile.nullable().catch(null),
  })
  .nullable()

/** Who is signed in, with the profile; null for a visitor. */
export type Session = { user: { id: string; email: string }; profile: Profile }

/** The session, kept fresh by `SessionKeeper`. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ signal }): Promise<Session | null> => {
    const view = await request(api.session(), { schema: sessionView, signal, keepSession: true })
    // A session that ran out is noticed here as well, when the page asks whether it still stands.
    if (!view) loseSession()
    return view && { user: view.user, profile: view.profile ?? defaultProfile(view.user) }
  },
})

export type SessionState =
  | { state: 'checking'; session: null }
  | { state: 'out'; session: null }
  | { state: 'in'; session: Session }
  | { state: 'failed'; session: null; error: Error; retry: () => void }

/** The visitor's session as the screens need it. */
export function useSession(): SessionState {
  const query = useQuery(sessionQuery)
  if (query.data) return { state: 'in', session: query.data }
  if (query.data === null) return { state: 'out', session: null }
  return query.error
    ? { state: 'failed', session: null, error: query.error, retry: () => void query.refetch() }
    : { state: 'checking', session: null }
}

const credentials = z.object({ email: z.string(), password: z.string() })
type Credentials = z.infer<typeof credentials>

/** Opens a session and reads it back; fails with 'No session after sign in' when there is none. */
export const useSignIn = () =>
  useMutation({
    mutationFn: async (input: Credentials) => {
      await request(api.signIn(), { method: 'POST', body: input, schema: anything, keepSession: true })
      const session = await queryClient.query({ ...sessionQuery, staleTime: 0 })
      if (!session) throw new Error('No session after sign in')
      dismissBadNews()
      return session
    },
  })

export const useSignUp = () =>
  useMutation({
    mutationFn: (input: Credentials) =>
      request(api.signUp(), { method: 'POST', body: input, schema: anything, keepSession: true }),
  })

export const useSignOut = () =>
  useMutation({
    mutationFn: () => request(api.signOut(), { method: 'POST', body: {}, schema: anything, keepSession: true }),
    onSuccess: endSession,
  })

/** Saves some fields of the caller's own profile and puts the answer into the session. */
export const useUpdateProfile = (id: string) =>
  useMutation({
    mutationFn: (patch: ProfilePatch) =>
      request(api.profile(id), { method: 'PATCH', body: patch, schema: one(profile) }),
    onSuccess: (saved) =>
      queryClient.setQueryData(
        SESSION_KEY,
        (session: Session | null | undefined) => session && { ...session, profile: saved },
      ),
  })

/** What is shown while the profile cannot be read: never an admin. */
function defaultProfile(user: { id: string; email: string; name?: string | null | undefined }): Profile {
  const now = new Date().toISOString()
  return {
    id: user.id,
    email: user.email,
    full_name: user.name || (user.email.split('@')[0] ?? null),
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
