import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  importDetail,
  importPreview,
  importRecord,
  importRecordRow,
  importRow,
  importTotals,
  undoneImport,
} from '#shared/contract/imports.ts'
import { job } from '#shared/contract/jobs.ts'
import { paperRecord } from '#shared/contract/paper-records.ts'
import { api } from '#shared/contract/paths.ts'
import { many, one, page, request, upload } from '#web/lib/api.ts'
import { refreshDocuments } from '#web/lib/document-queries.ts'
import { receiveJob } from '#web/lib/jobs.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { PAGE_SIZE, type ImportSearch, type ImportsSearch } from './search.ts'

const refreshImports = () => queryClient.invalidateQueries({ queryKey: ['imports'] })

/** Query: a page of the imports of a project, newest first, with the totals of all its imports. */
export const importsQuery = (projectId: string, { page: shown = 1, limit = PAGE_SIZE }: ImportsSearch) =>
  queryOptions({
    queryKey: ['imports', projectId, { shown, limit }],
    queryFn: ({ signal }) =>
      request(api.imports({ project_id: projectId, page: shown, limit }), {
        schema: page(importRow).extend({ totals: importTotals }),
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Query: one import. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', 'one', id],
    queryFn: ({ signal }) => request(api.import(id), { schema: one(importDetail), signal }),
  })

/** Query: a page of the records of an import, which are the references in its source. */
export const recordsQuery = (id: string, { page: shown = 1, limit = PAGE_SIZE, outcome }: ImportSearch) =>
  queryOptions({
    queryKey: ['imports', 'records', id, { shown, limit, outcome }],
    queryFn: ({ signal }) =>
      request(api.importRecords(id, { page: shown, limit, outcome }), { schema: page(importRecordRow), signal }),
    placeholderData: keepPreviousData,
  })

/** Query: the import records of a paper. */
export const paperRecordsQuery = (documentId: string) =>
  queryOptions({
    queryKey: ['imports', 'paper', documentId],
    queryFn: ({ signal }) => request(api.documentRecords(documentId), { schema: many(paperRecord), signal }),
  })

/** Query: one record of an import with its original text in the source. Never refetched, because records do not change. */
export const recordQuery = (id: string) =>
  queryOptions({
    queryKey: ['import-record', id],
    queryFn: ({ signal }) => request(api.importRecord(id), { schema: one(importRecord), signal }),
    staleTime: Infinity,
  })

/**
 * Sends a file of references to the server, which returns a preview of the records and does not store the file. `fields` are
 * form fields that say how to read the file, such as its format.
 */
export const previewFile = (file: File, fields: Record<string, string>, signal: AbortSignal) =>
  upload(api.importPreview(), { ...fields, file }, one(importPreview), { signal })

/** Starts the import of a file. Returns the job. */
export async function startImport(file: File, fields: Record<string, string>, onProgress: (part: number) => void) {
  const started = await upload(api.imports(), { ...fields, file }, one(job), { onProgress })
  receiveJob(queryClient, started)
  void refreshImports()
  return started
}

/**
 * Undoes an import: deletes the papers of the import that have no file and that no other import contains. The other papers of
 * the import stay.
 */
export async function undoImport(id: string) {
  const undone = await request(api.import(id), { method: 'DELETE', schema: one(undoneImport) })
  refreshDocuments()
  void queryClient.invalidateQueries({ queryKey: ['projects'] })
  void queryClient.invalidateQueries({ queryKey: ['trash'] })
  await refreshImports()
  return undone
}
