import { queryOptions, useMutation } from '@tanstack/react-query'
import { openedInvitation } from '#shared/contract/invitations.ts'
import { api } from '#shared/contract/paths.ts'
import { project } from '#shared/contract/projects.ts'
import { anything, ApiError, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

/** The invitation of a link. Fetched once: it ends when the user accepts or declines it. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) =>
      request(api.invitationRead(), { method: 'POST', body: { token }, schema: one(openedInvitation), signal }),
    staleTime: Infinity,
    retry: false,
  })

/**
 * Returns an error handler that opens the invitation again after a refusal: the page then shows the reason, for example that it
 * was revoked.
 */
const openAgain = (token: string) => (error: Error) =>
  error instanceof ApiError && queryClient.resetQueries({ queryKey: invitationQuery(token).queryKey })

/** Mutation: makes the user a member of the project. */
export const useAccept = (token: string) =>
  useMutation({
    mutationFn: () => request(api.invitationAccept(), { method: 'POST', body: { token }, schema: one(project) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['projects'] }),
    onError: openAgain(token),
  })

/** Mutation: declines the invitation, which ends it. */
export const useDecline = (token: string) =>
  useMutation({
    mutationFn: () => request(api.invitationDecline(), { method: 'POST', body: { token }, schema: anything }),
    onError: openAgain(token),
  })
