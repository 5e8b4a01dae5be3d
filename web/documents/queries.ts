import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { documentRow } from '#shared/documents.ts'
import { api } from '#shared/paths.ts'
import { page, request } from '#web/lib/api.ts'

type ListParams = NonNullable<Parameters<typeof api.documents>[0]>

/** One page of a project's documents; the page before stays on the screen while the next one comes. */
export const documentsQuery = (params: ListParams) =>
  queryOptions({
    queryKey: ['documents', params],
    queryFn: ({ signal }) => request(api.documents(params), { schema: page(documentRow), signal }),
    placeholderData: keepPreviousData,
  })
