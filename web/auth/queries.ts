import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '#shared/contract/paths.ts'
import { NO_USER_ID, profile } from '#shared/contract/profiles.ts'
import type { ProfilePatch } from '#shared/contract/profiles.ts'
import { anything, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { SESSION_KEY } from '#web/lib/signed-out.ts'
import { dismissNews } from '#web/lib/toasts.tsx'
import { readProfile } from './own-profile.ts'
import type { ReadProfile } from './own-profile.ts'
import { announceSignOut, endSession, loseSession } from './session-end.ts'

const sessionView = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string().nullish() }),
    session: z.object({ expiresAt: z.string() }),
  })
  .nullable()

/**
 * The signed-in user and the profile. `standIn` is true if the profile is a placeholder because the real one could not be read.
 */
export type Session = { user: { id: string; email: string } } & ReadProfile

/** Query: the session, or null for a visitor. `SessionKeeper` refreshes it. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ signal }): Promise<Session | null> => {
    const view = await request(api.session(), { schema: sessionView, signal, keepSession: true })
    // This response can be the first one that shows that the session has ended.
    if (!view) loseSession()
    if (!view) return null
    const known = queryClient.getQueryData<Session | null>(SESSION_KEY)
    const own = known?.user.id === view.user.id && !known.standIn ? known : undefined
    return {
      user: view.user,
      ...(await readProfile(view.user, own && { profile: own.profile, standIn: false }, signal)),
    }
  },
})

export type SessionState =
  | { state: 'checking'; session: null }
  | { state: 'out'; session: null }
  | { state: 'in'; session: Session }
  | { state: 'failed'; session: null; error: Error; retry: () => void }

/** Returns whether a user is signed in, with the session or the error. */
export function useSession(): SessionState {
  const query = useQuery(sessionQuery)
  if (query.data) return { state: 'in', session: query.data }
  if (query.data === null) return { state: 'out', session: null }
  return query.error
    ? { state: 'failed', session: null, error: query.error, retry: () => void query.refetch() }
    : { state: 'checking', session: null }
}

interface Credentials {
  email: string
  password: string
  /** The token of the invitation that opens after the sign-in or sign-up. */
  invitation?: string | undefined
}

/** Result of a sign-in that still needs the code of a second factor. */
export const SECOND_STEP = 'second step'

/**
 * Sends a sign-in request to `path` and loads the session. Returns SECOND_STEP if a code is still needed. Throws if the server
 * accepted the request but returns no session.
 */
async function enter(path: string, body: unknown): Promise<Session | typeof SECOND_STEP> {
  const schema = z.object({ second_step: z.boolean().catch(false) })
  const { second_step } = await request(path, { method: 'POST', body, schema, keepSession: true })
  return second_step ? SECOND_STEP : loadSession()
}

/** Loads the session after a sign-in and dismisses the toasts. Throws if the server returns no session. */
export async function loadSession(): Promise<Session> {
  const session = await queryClient.query({ ...sessionQuery, staleTime: 0 })
  if (!session) throw new Error('No session after sign in')
  dismissNews()
  return session
}

/** Mutation: signs in with e-mail address and password, and loads the session. */
export const useSignIn = () => useMutation({ mutationFn: (input: Credentials) => enter(api.signIn(), input) })

/** Mutation: confirms an e-mail address with the token of its link and the account's password, and signs in. */
export const useConfirmEmail = () =>
  useMutation({
    mutationFn: (input: { token: string; password: string }) => enter(api.verifyEmail(), input),
  })

/** Mutation: creates an account. */
export const useSignUp = () =>
  useMutation({
    mutationFn: (input: Credentials) =>
      request(api.signUp(), { method: 'POST', body: input, schema: anything, keepSession: true }),
  })

/** Mutation: ends the session of this browser. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => request(api.signOut(), { method: 'POST', body: {}, schema: anything, keepSession: true }),
    onMutate: announceSignOut,
    onSuccess: endSession,
    onError: (_error, _input, announceFailure) => announceFailure?.(),
  })

/** Mutation: updates fields of the user's own profile and stores the response in the session. */
export const useUpdateProfile = (id: string) =>
  useMutation({
    mutationFn: async (patch: ProfilePatch) => {
      if (!id) throw new Error(NO_USER_ID)
      return request(api.profile(id), { method: 'PATCH', body: patch, schema: one(profile) })
    },
    onSuccess: (saved) =>
      queryClient.setQueryData(
        SESSION_KEY,
        (session: Session | null | undefined) => session && { ...session, profile: saved, standIn: false },
      ),
  })
