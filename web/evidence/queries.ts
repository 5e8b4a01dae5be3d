import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { storedEvidence } from '#shared/contract/conversations.ts'
import { type ChosenPlace, LOST_PAGE_SIZE, lostEvidence, similarPlace } from '#shared/contract/evidence.ts'
import { api } from '#shared/contract/paths.ts'
import { many, one, page, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { lostKey } from './lost-count.ts'

/**
 * Query: a page of the lost places of a project, which are quotes that the newest text of their paper does not contain. `at` is
 * the page number, from 1. Server events about documents refetch the page.
 */
export const lostPlacesQuery = (projectId: string, at: number) =>
  queryOptions({
    queryKey: [...lostKey(projectId), at],
    queryFn: ({ signal }) =>
      request(api.lostEvidence(projectId, { page: at, limit: LOST_PAGE_SIZE }), { schema: page(lostEvidence), signal }),
    placeholderData: keepPreviousData,
  })

/** Query: the passages of the newest text of a paper that resemble a lost quote. */
export const similarPlacesQuery = (id: string) =>
  queryOptions({
    queryKey: ['lost-evidence', 'similar', id],
    queryFn: ({ signal }) => request(api.evidencePlaces(id), { schema: many(similarPlace), signal }),
  })

/**
 * Assigns a lost quote (one that the newest text of its paper does not contain) to the passage of this text that the user
 * chose. `id` is the id of the quote.
 */
export async function choosePlace(projectId: string, id: string, place: ChosenPlace): Promise<void> {
  await request(api.evidencePlace(id), { method: 'PUT', body: place, schema: one(storedEvidence) })
  await queryClient.invalidateQueries({ queryKey: lostKey(projectId) })
}
