import { queryOptions } from '@tanstack/react-query'
import { documentRow } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { cancelledUpload, pausedUpload, projectProgress } from '#shared/contract/processing.ts'
import { anything, many, messageOf, one, request, upload } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { refreshDocuments } from '#web/lib/document-queries.ts'
import { toast } from '#web/lib/toasts.tsx'

/**
 * Uploads one PDF to a project and returns its document. With `uploadId`, the server then extracts, analyzes and vectorizes the
 * document, and reports one progress for all documents with the same `uploadId`. `documentId` is the id of the new document. If
 * the upload is repeated after its response was lost, the server returns the document of the first upload.
 */
export async function uploadDocument(
  projectId: string,
  file: File,
  {
    documentId,
    uploadId,
    ...options
  }: {
    documentId: string
    uploadId: string | undefined
    onProgress: (part: number) => void
    signal: AbortSignal
  },
) {
  const row = await upload(
    api.documents(),
    {
      project_id: projectId,
      document_id: documentId,
      process_automatically: String(uploadId !== undefined),
      ...(uploadId === undefined ? {} : { upload_id: uploadId }),
      file,
    },
    one(documentRow),
    options,
  )
  refreshDocuments()
  return row
}

/** Refetch interval in ms while papers of the upload are being processed. */
const REFETCH_MS = 3_000

/**
 * Query: the progress of the papers of an upload. The key begins with 'documents', so that it is refetched together with the
 * lists of documents.
 */
export const progressQuery = (projectId: string, uploadId: string) =>
  queryOptions({
    queryKey: ['documents', 'progress', projectId, uploadId],
    queryFn: ({ signal }) =>
      request(api.projectProgress(projectId, { upload_id: uploadId }), { schema: one(projectProgress), signal }),
    refetchInterval: ({ state }) => (state.data?.open ? REFETCH_MS : false),
  })

/**
 * Query: the paused uploads of all members in a project. The key begins with 'documents', so that the query is refetched
 * together with the lists of documents.
 */
export const pausedUploadsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['documents', 'paused-uploads', projectId],
    queryFn: ({ signal }) => request(api.pausedUploads(projectId), { schema: many(pausedUpload), signal }),
  })

/** Pauses or resumes the processing of an upload. A pause begins after the current step of each paper. */
export const pauseUpload = (uploadId: string, is_paused: boolean): Promise<void> =>
  change(request(api.upload(uploadId), { method: 'PATCH', body: { is_paused }, schema: anything }))

/** Cancels the processing of an upload. Papers that are already processed do not change. */
export const cancelRest = (uploadId: string): Promise<void> =>
  change(
    request(api.uploadCancel(uploadId), { method: 'POST', body: {}, schema: one(cancelledUpload) }).then(
      ({ continuing }) => {
        if (continuing === 0) return
        const description = `${counted(continuing, 'step')} that other members started ${continuing === 1 ? 'continues' : 'continue'}.`
        toast({ title: 'Upload cancelled', description })
      },
    ),
  )

const change = (request: Promise<unknown>): Promise<void> =>
  request
    .catch((error: unknown) =>
      toast({ title: 'The upload could not be changed', description: messageOf(error), destructive: true }),
    )
    .then(refreshDocuments)
