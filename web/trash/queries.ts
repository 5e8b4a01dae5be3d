import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { bulkCount } from '#shared/contract/bulk-documents.ts'
import { api } from '#shared/contract/paths.ts'
import { project } from '#shared/contract/projects.ts'
import { trash } from '#shared/contract/trash.ts'
import { anything, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

const counted = one(z.object({ count: z.number().int() }))

/**
 * Query: the trash. It contains all projects that were deleted in the last thirty days, and at most `limit` of the documents
 * that were deleted in this time.
 */
export const trashQuery = (limit: number) =>
  queryOptions({
    queryKey: ['trash', limit],
    queryFn: ({ signal }) => request(api.trash({ limit }), { schema: one(trash), signal }),
    placeholderData: keepPreviousData,
  })

/** Restores a project and the documents that were deleted with it. */
export const restoreProject = (id: string) =>
  request(api.projectRestore(id), { method: 'POST', schema: one(project) }).finally(refresh)

/** Restores the documents of a project that were deleted at the time `since` or later. Returns their number. */
export const restoreDocumentsOf = (projectId: string, since: string) =>
  request(api.projectDocumentsRestore(projectId, { since }), { method: 'POST', schema: counted }).finally(refresh)

/**
 * Restores documents with one request. Returns the number of restored documents and the ids that could not be restored.
 */
export const restoreDocuments = (ids: readonly string[]) =>
  request(api.documentsRestore(), { method: 'POST', body: { document_ids: ids }, schema: one(bulkCount) }).finally(
    refresh,
  )

/** Undoes the join (merge) of two duplicate papers. `id` is the id of the join. */
export const undoJoin = (id: string) =>
  request(api.joinedPaperUndo(id), { method: 'POST', schema: anything }).finally(refresh)

/** Deletes one item of the trash, or all items, permanently. `path` is the API path of the item or of the trash. */
export const removeForGood = (path: string) => request(path, { method: 'DELETE', schema: anything }).finally(refresh)

function refresh(): void {
  for (const key of ['trash', 'documents', 'document-filters', 'document', 'projects', 'tags', 'duplicates'])
    void queryClient.invalidateQueries({ queryKey: [key] })
}
