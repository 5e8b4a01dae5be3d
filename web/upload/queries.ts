import { queryOptions } from '@tanstack/react-query'
import { documentRow } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { job } from '#shared/contract/jobs.ts'
import { projectProgress } from '#shared/contract/processing.ts'
import { many, messageOf, one, request, upload } from '#web/lib/api.ts'
import { refreshDocuments } from '#web/lib/document-queries.ts'
import { cancelJob } from '#web/lib/jobs.ts'
import { toast } from '#web/lib/toasts.tsx'

/** Uploads one PDF to a project. `isProcessed`: the server extracts, analyzes and vectorizes it. */
export async function uploadDocument(
  projectId: string,
  file: File,
  { isProcessed, ...options }: { isProcessed: boolean; onProgress: (part: number) => void; signal: AbortSignal },
) {
  const row = await upload(
    api.documents(),
    { project_id: projectId, process_automatically: String(isProcessed), file },
    one(documentRow),
    options,
  )
  refreshDocuments()
  return row
}

/** Refetched while papers are open; changes of documents also arrive on the event stream. */
const REFETCH_MS = 3_000

/** How far the papers are that were added to a project since a time. The key begins as those of the lists of documents. */
export const progressQuery = (projectId: string, since: string) =>
  queryOptions({
    queryKey: ['documents', 'progress', projectId, since],
    queryFn: ({ signal }) => request(api.projectProgress(projectId, since), { schema: one(projectProgress), signal }),
    refetchInterval: ({ state }) => (state.data?.open ? REFETCH_MS : false),
  })

/** Cancels the jobs of single papers of a project. Papers that are ready stay so. */
export async function cancelRest(projectId: string): Promise<void> {
  try {
    const active = await request(api.jobs({ project_id: projectId, active: 'true' }), { schema: many(job) })
    await Promise.all(active.filter(({ document_id }) => document_id !== null).map(({ id }) => cancelJob(id)))
    refreshDocuments()
  } catch (error) {
    toast({ title: 'Error', description: messageOf(error), destructive: true })
  }
}
