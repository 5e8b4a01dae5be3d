import { documentRow } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { one, upload } from '#web/lib/api.ts'
import { refreshDocuments } from '#web/lib/document-queries.ts'

/** Uploads one PDF to a project. Its status is pending. */
export async function uploadDocument(
  projectId: string,
  file: File,
  options: { onProgress: (part: number) => void; signal: AbortSignal },
) {
  const row = await upload(api.documents(), { project_id: projectId, file }, one(documentRow), options)
  refreshDocuments()
  return row
}
