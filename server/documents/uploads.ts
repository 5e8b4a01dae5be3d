import { asActor } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { notFound } from '#server/lib/errors.ts'
import { cancel, releaseJobs } from '#server/queue/queue.ts'
import type { UploadState } from '#shared/contract/processing.ts'
import { findUploadJobs, updateUpload } from './upload-queries.ts'

/**
 * Pauses the automatic processing of an upload's documents, or resumes it. During a pause the running step of a document
 * completes, and no step starts. Throws 'not_found'.
 */
export const pauseUpload = (actor: Actor, id: string, isPaused: boolean): Promise<UploadState> =>
  asActor(actor, async (tx) => {
    const upload = await updateUpload(tx, id, isPaused)
    if (!upload) throw notFound('Upload')
    if (!isPaused) await releaseJobs(tx, await findUploadJobs(tx, id))
    return upload
  })

/** Cancels the automatic processing of an upload's documents and ends its pause. Documents that are ready stay so. */
export async function cancelUpload(actor: Actor, id: string): Promise<UploadState> {
  const { upload, active } = await asActor(actor, async (tx) => ({
    upload: await updateUpload(tx, id, false),
    active: await findUploadJobs(tx, id),
  }))
  if (!upload) throw notFound('Upload')
  await Promise.all(active.map((job) => cancel(actor, job)))
  return upload
}
