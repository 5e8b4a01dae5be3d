import { queryOptions, useMutation } from '@tanstack/react-query'
import { documentDetail } from '#shared/contract/documents.ts'
import { documentEdit, type DocumentPatch } from '#shared/contract/document-edits.ts'
import { api } from '#shared/contract/paths.ts'
import { many, one, request } from './api.ts'
import { queryClient } from './query-client.ts'

/** Refetches all lists and counts of documents. */
export function refreshDocuments(): void {
  for (const key of ['documents', 'document-filters', 'projects'])
    void queryClient.invalidateQueries({ queryKey: [key] })
}

/** A document with all its fields. */
export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['document', id],
    queryFn: ({ signal }) => request(api.document(id), { schema: one(documentDetail), signal }),
  })

/** Query: the edits of values that an analysis filled, newest first. */
export const documentEditsQuery = (id: string) =>
  queryOptions({
    queryKey: ['document', id, 'edits'],
    queryFn: ({ signal }) => request(api.documentEdits(id), { schema: many(documentEdit), signal }),
  })

/** Updates fields of a document. Returns the updated document. */
export const useUpdateDocument = (id: string) =>
  useMutation({
    mutationFn: (patch: DocumentPatch) =>
      request(api.document(id), { method: 'PATCH', body: patch, schema: one(documentDetail) }),
    onSuccess: (saved) => {
      queryClient.setQueryData(documentQuery(id).queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: documentEditsQuery(id).queryKey })
      refreshDocuments()
      void queryClient.invalidateQueries({ queryKey: ['tags'] })
      void queryClient.invalidateQueries({ queryKey: ['journals'] })
    },
  })
