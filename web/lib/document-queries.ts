import { queryOptions } from '@tanstack/react-query'
import { documentDetail } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { one, request } from './api.ts'
import { queryClient } from './query-client.ts'

/** Refetches all lists and counts of documents. */
export function refreshDocuments(): void {
  for (const key of ['documents', 'document-filters', 'projects'])
    void queryClient.invalidateQueries({ queryKey: [key] })
}

/** Query: a document with all its fields. */
export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['document', id],
    queryFn: ({ signal }) => request(api.document(id), { schema: one(documentDetail), signal }),
  })
