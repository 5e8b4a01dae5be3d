import { queryOptions, useMutation } from '@tanstack/react-query'
import { type Member, member } from '#shared/contract/members.ts'
import { api } from '#shared/contract/paths.ts'
import { project } from '#shared/contract/projects.ts'
import { anything, many, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

/** Query: the members of a project, in the order in which they joined. */
export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['members', projectId],
    queryFn: ({ signal }) => request(api.projectMembers(projectId), { schema: many(member), signal }),
  })

const refresh = () =>
  Promise.all([['members'], ['projects']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))

/** Mutation: changes the role of a member. */
export const useChangeRole = (projectId: string) =>
  useMutation({
    mutationFn: ({ user_id, version, role }: Pick<Member, 'user_id' | 'version' | 'role'>) =>
      request(api.projectMember(projectId, user_id), { method: 'PATCH', body: { role, version }, schema: one(member) }),
    onSettled: refresh,
  })

/** Mutation: removes a member. With the id of the signed-in user, this user leaves the project. */
export const useRemoveMember = (projectId: string) =>
  useMutation({
    mutationFn: (userId: string) =>
      request(api.projectMember(projectId, userId), { method: 'DELETE', schema: anything }),
  })

/** Refetches the lists of members and of projects, for example after a member was removed. */
export const refreshMembers = refresh

/**
 * Mutation: transfers the project to a member. Returns the project, which gets another name if the new owner has a project with
 * its name.
 */
export const useTransfer = (projectId: string) =>
  useMutation({
    mutationFn: (userId: string) =>
      request(api.projectTransfer(projectId), { method: 'POST', body: { user_id: userId }, schema: one(project) }),
    onSuccess: refresh,
  })
