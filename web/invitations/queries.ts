import { queryOptions, useMutation } from '@tanstack/react-query'
import { openedInvitation } from '#shared/contract/invitations.ts'
import { api } from '#shared/contract/paths.ts'
import { project } from '#shared/contract/projects.ts'
import { anything, ApiError, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

/** Query: the invitation of a link. It is fetched once, because a fetch after the user accepted or declined would fail. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) =>
      request(api.invitationRead(), { method: 'POST', body: { token }, schema: one(openedInvitation), signal }),
    staleTime: Infinity,
    retry: false,
  })

/**
 * Returns an error handler that refetches the invitation after the server refused a change. The page then shows why the
 * invitation does not open, for example that it was revoked.
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

/**
 * Mutation: declines the invitation of a link. The server deletes the invitation, except an open link that other people may
 * use.
 */
export const useDecline = (token: string) =>
  useMutation({
    mutationFn: () => request(api.invitationDecline(), { method: 'POST', body: { token }, schema: anything }),
    onError: openAgain(token),
  })
