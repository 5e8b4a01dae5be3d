import { queryOptions, useMutation } from '@tanstack/react-query'
import { addedRecommendation, recommendation } from '#shared/contract/recommendations.ts'
import type { Recommendation } from '#shared/contract/recommendations.ts'
import { api } from '#shared/contract/paths.ts'
import { messageOf, one, page, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'

const listKey = (projectId: string) => ['recommendations', projectId]
type List = { data: Recommendation[]; count: number }

/** Query: the recommendations of a project. */
export const recommendationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: listKey(projectId),
    queryFn: ({ signal }) =>
      request(api.recommendations({ project_id: projectId, limit: 200 }), { schema: page(recommendation), signal }),
    // A dismissed or added card stays in place until the list is refetched, which happens on the next visit.
    staleTime: 0,
  })

/** Refetches the list after a search or a change in another session. */
export const refreshRecommendations = (projectId: string) =>
  queryClient.invalidateQueries({ queryKey: listKey(projectId) })

const replace = (row: Recommendation) =>
  queryClient.setQueryData<List>(
    listKey(row.project_id),
    (before) => before && { ...before, data: before.data.map((one) => (one.id === row.id ? row : one)) },
  )

/** Dismisses a recommendation or restores it. Optimistic; reverted when the server refuses. */
export const useChange = () =>
  useMutation({
    mutationFn: ({ row, status }: { row: Recommendation; status: Recommendation['status'] }) =>
      request(api.recommendation(row.id), { method: 'PATCH', body: { status }, schema: one(recommendation) }),
    onMutate: ({ row, status }) => void replace({ ...row, status }),
    onError: (error, { row }) => {
      replace(row)
      toast({ title: 'Error updating recommendation', description: messageOf(error), destructive: true })
    },
  })

/** Adds the paper as a document. The server searches for its open-access PDF. */
export const useAdd = () =>
  useMutation({
    mutationFn: (row: Recommendation) =>
      request(api.recommendationDocument(row.id), { method: 'POST', body: {}, schema: one(addedRecommendation) }),
    onSuccess: (added) => {
      replace(added.recommendation)
      const { title } = added.recommendation
      toast({
        title: added.created ? 'Added to project' : 'The project has this paper already',
        description: added.job ? `${title}. The server is searching for its open-access PDF.` : title,
      })
      for (const key of ['documents', 'document-filters', 'projects'])
        void queryClient.invalidateQueries({ queryKey: [key] })
    },
    onError: (error) =>
      toast({ title: 'The paper could not be added', description: messageOf(error), destructive: true }),
  })
