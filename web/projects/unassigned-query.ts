import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { documentRow } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { page, request } from '#web/lib/api.ts'

/** Selectable numbers of rows per page for the list of documents without a project. */
export const UNASSIGNED_SIZES = [10, 25, 50] as const

/** Query: a page of the documents without a project. */
export const unassignedDocumentsQuery = (number: number, limit: number) =>
  queryOptions({
    queryKey: ['documents', 'none', number, limit],
    queryFn: ({ signal }) =>
      request(api.documents({ project_id: 'none', page: number, limit }), { schema: page(documentRow), signal }),
    placeholderData: keepPreviousData,
  })
