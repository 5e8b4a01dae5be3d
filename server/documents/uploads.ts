import { asActor } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { cancel, releaseJobs } from '#server/queue/queue.ts'
import type { CancelledUpload, UploadState } from '#shared/contract/processing.ts'
import { findUploadJobs, updateUpload } from './upload-queries.ts'

/**
 * Pauses or resumes the automatic processing of an upload's documents. During a pause, steps that already run complete, and no
 * new step starts. Throws 'not_found' for an upload that is not the caller's.
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
 * Cancels the automatic processing of an upload's documents and ends its pause. Documents that have been processed stay
 * unchanged. Steps that other members started continue, and the result contains their number. Throws 'not_found' for an upload
 * that is not the caller's.
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

/** Cancels a job. Does nothing if the job has been deleted with its document. */
const cancelIfPresent = (actor: Actor, jobId: string) =>
  cancel(actor, jobId).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  })
