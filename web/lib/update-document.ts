import { queryOptions, useMutation } from '@tanstack/react-query'
import { documentEdit, type DocumentPatch } from '#shared/contract/document-edits.ts'
import { documentDetail } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { many, one, request } from './api.ts'
import { documentQuery, refreshDocuments } from './document-queries.ts'
import { queryClient } from './query-client.ts'

/** Query: the edits of a document, newest first. An edit is a change by a user of a value that an analysis wrote. */
export const documentEditsQuery = (id: string) =>
  queryOptions({
    queryKey: ['document', id, 'edits'],
    queryFn: ({ signal }) => request(api.documentEdits(id), { schema: many(documentEdit), signal }),
  })

/** Mutation: changes fields of a document. Returns the changed document. */
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
