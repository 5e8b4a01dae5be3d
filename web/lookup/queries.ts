import { queryOptions } from '@tanstack/react-query'
import { lookupAnswer } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { one, request } from '#web/lib/api.ts'

/**
 * Query: the metadata of a paper from OpenAlex and Crossref. `query` is the DOI or title to search for; without it, the server
 * uses the data of the document. It is never refetched automatically.
 */
export const lookupQuery = (id: string, query: string | undefined) =>
  queryOptions({
    queryKey: ['lookup', id, query],
    queryFn: ({ signal }) => request(api.documentLookup(id, { query }), { schema: one(lookupAnswer), signal }),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
