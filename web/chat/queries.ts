import { queryOptions } from '@tanstack/react-query'
import { documentDetail } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { one, request } from '#web/lib/api.ts'

/** Query: the document that the conversation is about. */
export const chatDocument = (documentId: string) =>
  queryOptions({
    queryKey: ['document', documentId],
    queryFn: ({ signal }) => request(api.document(documentId), { schema: one(documentDetail), signal }),
  })
