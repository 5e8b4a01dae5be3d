import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { storedEvidence } from '#shared/contract/conversations.ts'
import { type ChosenPlace, LOST_PAGE_SIZE, lostEvidence, similarPlace } from '#shared/contract/evidence.ts'
import { api } from '#shared/contract/paths.ts'
import { many, one, page, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

const lostKey = (projectId: string) => ['lost-evidence', projectId]

/** A page of the lost places of a project. Events of documents invalidate it. */
export const lostPlacesQuery = (projectId: string, at: number) =>
  queryOptions({
    queryKey: [...lostKey(projectId), at],
    queryFn: ({ signal }) =>
      request(api.lostEvidence(projectId, { page: at, limit: LOST_PAGE_SIZE }), { schema: page(lostEvidence), signal }),
    placeholderData: keepPreviousData,
  })

/** The number of lost places of a project, or of one of its documents. */
export const lostCountQuery = (projectId: string, documentId?: string) =>
  queryOptions({
    queryKey: [...lostKey(projectId), 'count', documentId ?? 'all'],
    queryFn: async ({ signal }) =>
      (
        await request(
          api.lostEvidence(projectId, { limit: 1, ...(documentId === undefined ? {} : { document_id: documentId }) }),
          { schema: page(lostEvidence), signal },
        )
      ).count,
  })

/** The passages of the newest text that resemble lost words. */
export const similarPlacesQuery = (id: string) =>
  queryOptions({
    queryKey: ['lost-evidence', 'similar', id],
    queryFn: ({ signal }) => request(api.evidencePlaces(id), { schema: many(similarPlace), signal }),
  })

/** Moves evidence to other words of the text. */
export async function choosePlace(projectId: string, id: string, place: ChosenPlace): Promise<void> {
  await request(api.evidencePlace(id), { method: 'PUT', body: place, schema: one(storedEvidence) })
  await queryClient.invalidateQueries({ queryKey: lostKey(projectId) })
}
