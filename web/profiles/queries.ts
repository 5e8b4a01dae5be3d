import { queryOptions, useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { accountSummary, openSession } from '#shared/contract/accounts.ts'
import type { AccountDeletion } from '#shared/contract/accounts.ts'
import { api } from '#shared/contract/paths.ts'
import { profile } from '#shared/contract/profiles.ts'
import type { Profile } from '#shared/contract/profiles.ts'
import { sessionQuery, withProof } from '#web/auth/index.ts'
import { anything, many, one, request, upload } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

/** Query: the open sessions of the user (browsers in which the user is signed in), last used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['open-sessions'],
  queryFn: ({ signal }) => request(api.sessions(), { schema: many(openSession), signal }),
})

/** Query: the content that would be deleted with the account, and whether the account has a password. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => request(api.account(), { schema: one(accountSummary), signal }),
})

/** Refetches the open sessions. */
export const refreshSessions = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })

/** Mutation: ends one session of the user. */
export const useRevokeSession = () =>
  useMutation({
    mutationFn: (id: string) =>
      withProof(() => request(api.revokeSession(), { method: 'POST', body: { id }, schema: anything })),
    onSettled: refreshSessions,
  })

/** Mutation: ends all sessions of the user except this one. */
export const useRevokeOthers = () =>
  useMutation({
    mutationFn: () =>
      withProof(() =>
        request(api.revokeOtherSessions(), { method: 'POST', body: {}, schema: one(z.object({ ended: z.number() })) }),
      ),
    onSettled: refreshSessions,
  })

/** Mutation: changes the password. */
export const useChangePassword = () =>
  useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      request(api.changePassword(), { method: 'POST', body, schema: anything, keepSession: true }),
    onSuccess: refreshSessions,
  })

/**
 * Mutation: uploads a square picture as the profile picture of the user `id`, or removes the profile picture if the file is
 * null.
 */
export const useAvatar = (id: string) =>
  useMutation({
    mutationFn: (file: File | null): Promise<Profile> =>
      file
        ? upload(api.profileAvatar(id), { file }, one(profile))
        : request(api.profileAvatar(id), { method: 'DELETE', schema: one(profile) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })

/** Mutation: deletes the account with all its data. */
export const useDeleteAccount = () =>
  useMutation({
    mutationFn: (proof: AccountDeletion) =>
      withProof(() => request(api.account(), { method: 'DELETE', body: proof, schema: anything })),
  })
