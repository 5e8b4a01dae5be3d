import { documentFilters, documentsPage } from '#shared/contract/document-list.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { bulkCount } from '#shared/contract/bulk-documents.ts'
import { documentRow } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, one, request, upload } from '#web/lib/api.ts'
import { documentQuery, refreshDocuments } from '#web/lib/document-queries.ts'
import { queryClient } from '#web/lib/query-client.ts'

type ListParams = NonNullable<Parameters<typeof api.documents>[0]>

/** Query: one page of the document list of a project. The previous page stays visible while the next one loads. */
export const documentsQuery = (params: ListParams) =>
  queryOptions({
    queryKey: ['documents', params],
    queryFn: ({ signal }) => request(api.documents(params), { schema: documentsPage, signal }),
    placeholderData: keepPreviousData,
  })

/**
 * Query: the options of the filters of a document list: the statuses, tags and evidence levels of the documents of a project.
 */
export const documentFiltersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['document-filters', projectId],
    queryFn: ({ signal }) => request(api.documentFilters(projectId), { schema: one(documentFilters), signal }),
  })

/** Adds the included sample paper to a project. */
export async function addSample(projectId: string): Promise<void> {
  await request(api.documentsSample(), { method: 'POST', body: { project_id: projectId }, schema: anything })
  refreshDocuments()
}

/** Marks cached documents as outdated, so that they are fetched when they are shown the next time, and refetches all lists. */
const outdate = (ids: readonly string[]) => {
  for (const id of ids)
    void queryClient.invalidateQueries({ queryKey: documentQuery(id).queryKey, refetchType: 'none' })
  refreshDocuments()
}

/** Deletes one document. */
export const deleteDocument = (id: string) =>
  request(api.document(id), { method: 'DELETE', schema: anything }).finally(() => outdate([id]))

/**
 * Deletes documents with one request, which deletes all or none. Returns the number of deleted documents and the ids that did
 * not exist.
 */
export const deleteDocuments = (ids: readonly string[]) =>
  request(api.documentsDelete(), { method: 'POST', body: { document_ids: ids }, schema: one(bulkCount) }).finally(() =>
    outdate(ids),
  )

/** Uploads a PDF as the file of a document that has none. `onProgress` is called with the sent fraction, 0 to 1. */
export async function attachFile(id: string, file: File, onProgress: (part: number) => void): Promise<void> {
  await upload(api.documentFile(id), { file }, one(documentRow), { onProgress })
  await queryClient.invalidateQueries({ queryKey: documentQuery(id).queryKey })
  refreshDocuments()
}
