import { queryOptions, useMutation } from '@tanstack/react-query'
import { invitation, sentInvitation } from '#shared/contract/invitations.ts'
import type { NewInvitations } from '#shared/contract/invitations.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, many, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

/** Query: the pending and expired invitations of a project, newest first. Only owners may use it. */
export const invitationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['invitations', projectId],
    queryFn: ({ signal }) => request(api.projectInvitations(projectId), { schema: many(invitation), signal }),
  })

const refreshInvitations = () => queryClient.invalidateQueries({ queryKey: ['invitations'] })

/** Mutation: creates invitations. Returns them with their links. */
export const useInvite = (projectId: string) =>
  useMutation({
    mutationFn: (body: NewInvitations) =>
      request(api.projectInvitations(projectId), { method: 'POST', body, schema: many(sentInvitation) }),
    onSuccess: refreshInvitations,
  })

/** Mutation: replaces the link of an invitation. Returns the invitation with its new link. */
export const useRenewInvitation = (projectId: string) =>
  useMutation({
    mutationFn: (id: string) =>
      request(api.projectInvitationRenew(projectId, id), { method: 'POST', schema: one(sentInvitation) }),
    onSuccess: refreshInvitations,
  })

/** Mutation: revokes an invitation. */
export const useRevokeInvitation = (projectId: string) =>
  useMutation({
    mutationFn: (id: string) => request(api.projectInvitation(projectId, id), { method: 'DELETE', schema: anything }),
    onSettled: refreshInvitations,
  })
