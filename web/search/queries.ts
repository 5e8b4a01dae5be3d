import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { librarySearch, notVectorized, searchFilters, type SearchScope } from '#shared/contract/library-search.ts'
import { api } from '#shared/contract/paths.ts'
import {
  type NewSavedSearch,
  type SavedSearch,
  savedSearch,
  type SavedSearchEdit,
} from '#shared/contract/saved-searches.ts'
import { anything, many, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

/** Query: a page of the results of a search over passages. The previous page stays visible while the next one loads. */
export const searchQuery = (params: Parameters<typeof api.search>[0]) =>
  queryOptions({
    queryKey: ['search', params],
    queryFn: ({ signal }) => request(api.search(params), { schema: librarySearch, signal }),
    placeholderData: keepPreviousData,
    enabled: params['q'] !== '',
  })

/** Query: the options of the search filters: the tags, evidence levels and types of the papers in a scope. */
export const searchFiltersQuery = (of: { project_id: string; scope: SearchScope }) =>
  queryOptions({
    queryKey: ['document-filters', of],
    queryFn: ({ signal }) => request(api.searchFilters(of), { schema: one(searchFilters), signal }),
  })

/**
 * Fetches which papers in the scope of a search have no vectors, so that they are found only by words and not by meaning.
 * Returns the ids of those that the user may edit, and the number of papers in this scope that have vectors.
 */
export const readNotVectorized = (params: Parameters<typeof api.searchNotVectorized>[0]) =>
  request(api.searchNotVectorized(params), { schema: notVectorized })

const savedKey = (projectId: string) => ['saved-searches', projectId]

/** The user's saved searches of a project. */
export const savedSearchesQuery = (projectId: string) =>
  queryOptions({
    queryKey: savedKey(projectId),
    queryFn: ({ signal }) => request(api.savedSearches(projectId), { schema: many(savedSearch), signal }),
  })

const refreshSaved = (projectId: string) => queryClient.invalidateQueries({ queryKey: savedKey(projectId) })

/** Saves a search. */
export async function saveSearch(projectId: string, body: NewSavedSearch): Promise<void> {
  await request(api.savedSearches(projectId), { method: 'POST', body, schema: anything })
  await refreshSaved(projectId)
}

/** Renames a saved search, or turns its e-mails about new matches on or off. */
export async function editSavedSearch(projectId: string, id: string, body: SavedSearchEdit): Promise<SavedSearch> {
  try {
    return await request(api.savedSearch(id), { method: 'PATCH', body, schema: one(savedSearch) })
  } finally {
    await refreshSaved(projectId)
  }
}

/** Deletes a saved search. */
export async function deleteSavedSearch(projectId: string, id: string): Promise<void> {
  await request(api.savedSearch(id), { method: 'DELETE', schema: anything })
  await refreshSaved(projectId)
}
