import { queryOptions, useMutation } from '@tanstack/react-query'
import { addedRecommendation, recommendation } from '#shared/contract/recommendations.ts'
import type { Recommendation } from '#shared/contract/recommendations.ts'
import { api } from '#shared/contract/paths.ts'
import { ApiError, messageOf, one, page, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'

const listKey = (projectId: string) => ['recommendations', projectId]
const changeKey = (id: string) => ['recommendation', id]
type List = { data: Recommendation[]; count: number }

/** Query: the papers that are recommended to a project; at most 200. */
export const recommendationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: listKey(projectId),
    queryFn: ({ signal }) =>
      request(api.recommendations({ project_id: projectId, limit: 200 }), { schema: page(recommendation), signal }),
    // A dismissed or added card stays in place until the list is refetched, which happens on the next visit.
    staleTime: 0,
  })

/** Refetches the recommendations of a project, for example after a search. */
export const refreshRecommendations = (projectId: string) =>
  queryClient.invalidateQueries({ queryKey: listKey(projectId) })

const replace = (row: Recommendation) =>
  queryClient.setQueryData<List>(
    listKey(row.project_id),
    (before) => before && { ...before, data: before.data.map((one) => (one.id === row.id ? row : one)) },
  )

/** Returns the cached version of a recommendation, or `row` if the list is not loaded. */
const loaded = (row: Recommendation) =>
  queryClient.getQueryData<List>(listKey(row.project_id))?.data.find(({ id }) => id === row.id) ?? row

/**
 * Mutation: dismisses a recommendation or restores it. The list shows the change at once. If the server refuses it, the list
 * shows the former state or, if another member changed the recommendation at the same time, that member's state. Changes of one
 * recommendation are sent one after the other.
 */
export const useChange = (id: string) =>
  useMutation({
    scope: { id: `recommendation ${id}` },
    mutationKey: changeKey(id),
    mutationFn: ({ row, status }: { row: Recommendation; status: Recommendation['status'] }) => {
      const { version } = loaded(row)
      return request(api.recommendation(id), {
        method: 'PATCH',
        body: { status, version },
        schema: one(recommendation),
      })
    },
    onMutate: async ({ row, status }) => {
      // A refetch that began before the change would bring the former state back.
      const isRefetching = queryClient.isFetching({ queryKey: listKey(row.project_id) }) > 0
      await queryClient.cancelQueries({ queryKey: listKey(row.project_id) })
      replace({ ...row, status })
      return { isRefetching }
    },
    onSuccess: (saved) => {
      // Until the last change is stored, the list shows the state that the user chose last.
      const isLast = queryClient.isMutating({ mutationKey: changeKey(id) }) === 1
      replace({ ...loaded(saved), version: saved.version, ...(isLast ? { status: saved.status } : {}) })
    },
    onError: (error, { row }) => {
      const isChanged = error instanceof ApiError && error.code === 'changed'
      const present = isChanged ? recommendation.parse(error.current) : row
      replace(present)
      const description = isChanged
        ? `Another member changed it meanwhile. It is ${present.status === 'pending' ? 'not dismissed' : 'dismissed'}.`
        : messageOf(error)
      toast({ title: 'Error updating recommendation', description, destructive: true })
    },
    onSettled: (_saved, _error, { row }, before) => {
      if (before?.isRefetching) void queryClient.invalidateQueries({ queryKey: listKey(row.project_id) })
    },
  })

/**
 * Mutation: adds a recommended paper to its project as a document. The server searches for the open-access PDF of the paper.
 */
export const useAdd = () =>
  useMutation({
    mutationFn: (row: Recommendation) =>
      request(api.recommendationDocument(row.id), { method: 'POST', body: {}, schema: one(addedRecommendation) }),
    onSuccess: (added) => {
      replace(added.recommendation)
      const { title } = added.recommendation
      toast({
        title: added.created ? 'Added to project' : 'The project already has this paper',
        description: added.job ? `${title}. The server is searching for its open-access PDF.` : title,
      })
      for (const key of ['documents', 'document-filters', 'projects'])
        void queryClient.invalidateQueries({ queryKey: [key] })
    },
    onError: (error) =>
      toast({ title: 'The paper could not be added', description: messageOf(error), destructive: true }),
  })
