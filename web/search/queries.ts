import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { documentFilters } from '#shared/contract/document-list.ts'
import { librarySearch } from '#shared/contract/library-search.ts'
import { api } from '#shared/contract/paths.ts'
import { many, one, request } from '#web/lib/api.ts'

/** One page of a search over passages. The previous page stays visible while the next one loads. */
export const searchQuery = (params: Parameters<typeof api.search>[0]) =>
  queryOptions({
    queryKey: ['search', params],
    queryFn: ({ signal }) => request(api.search(params), { schema: librarySearch, signal }),
    placeholderData: keepPreviousData,
    enabled: params['q'] !== '',
  })

/** The tags and evidence levels of a project's papers. */
export const searchFiltersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['document-filters', projectId],
    queryFn: ({ signal }) => request(api.documentFilters(projectId), { schema: one(documentFilters), signal }),
  })

/** Returns the ids of the papers of a scope that are not found by meaning yet. */
export const readNotVectorized = (params: Parameters<typeof api.searchNotVectorized>[0]): Promise<string[]> =>
  request(api.searchNotVectorized(params), { schema: many(z.uuid()) })
