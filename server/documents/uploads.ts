import { asActor } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { cancel, releaseJobs } from '#server/queue/queue.ts'
import type { CancelledUpload, UploadState } from '#shared/contract/processing.ts'
import { findUploadJobs, updateUpload } from './upload-queries.ts'

/**
 * Pauses the automatic processing of an upload's documents, or resumes it. During a pause the running step of a document
 * completes, and no step starts. Throws 'not_found'.
 */
export const pauseUpload = (actor: Actor, id: string, isPaused: boolean): Promise<UploadState> =>
  asActor(actor, async (tx) => {
    const upload = await updateUpload(tx, id, isPaused)
    if (!upload) throw notFound('Upload')
    const active = isPaused ? [] : await findUploadJobs(tx, id)
    await releaseJobs(
      tx,
      active.map((job) => job.id),
    )
    return upload
  })

/**
 * Cancels the automatic processing of an upload's documents and ends its pause. Documents that are ready stay so. Steps
 * that other members started continue, and are counted. Throws 'not_found'.
 */
export async function cancelUpload(actor: Actor, id: string): Promise<CancelledUpload> {
  const { upload, active } = await asActor(actor, async (tx) => ({
    upload: await updateUpload(tx, id, false),
    active: await findUploadJobs(tx, id),
  }))
  if (!upload) throw notFound('Upload')
  const own = active.filter(({ owner_id }) => owner_id === actor.userId)
  await Promise.all(own.map((job) => cancelIfPresent(actor, job.id)))
  return { ...upload, continuing: active.length - own.length }
}

/** Cancels a job, unless it was deleted with its document. */
const cancelIfPresent = (actor: Actor, jobId: string) =>
  cancel(actor, jobId).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  })
