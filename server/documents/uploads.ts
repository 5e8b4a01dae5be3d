import { asActor } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { authorize, listNames } from '#server/members/index.ts'
import { checkProject } from '#server/projects/index.ts'
import { cancelEach, releaseJobs } from '#server/queue/queue.ts'
import type { CancelledUpload, PausedUpload, UploadState } from '#shared/contract/processing.ts'
import { ROLE_TOO_SMALL } from '#shared/contract/roles.ts'
import { findPausedUploads, findUploadJobs, listUploadRights, updateUpload } from './upload-queries.ts'

/**
 * Returns the paused uploads, of all members, that have documents in the project with a queued automatic job. Throws
 * 'not_found' if the caller may not read the project.
 */
export const listPausedUploads = (actor: Actor, projectId: string): Promise<PausedUpload[]> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'read')
    return withOwnerRole(tx, async () => {
      const found = await findPausedUploads(tx, projectId)
      const names = await listNames(
        tx,
        found.map(({ owner_id }) => owner_id),
      )
      return found.map(({ owner_id, ...row }) => ({
        ...row,
        created_by: { id: owner_id, name: names.get(owner_id) ?? '' },
      }))
    })
  })

/**
 * Pauses or resumes the automatic processing of an upload's documents. During a pause, steps that already run complete, and no
 * new step starts, except steps that users request. Every member who may edit the documents may do this, because the member who
 * paused the upload can be absent. Throws 'not_found' if the caller can read none of the documents. Throws 'role' if the caller
 * may edit none of the documents, or if another member uploaded them and the caller may not edit all of them.
 */
export const pauseUpload = (actor: Actor, id: string, isPaused: boolean): Promise<UploadState> =>
  asActor(actor, async (tx) => {
    const rights = await listUploadRights(tx, id)
    authorize(rights.find(({ may }) => may.includes('edit')) ?? rights[0], 'edit', 'Upload')
    return withOwnerRole(tx, async () => {
      const upload = await updateUpload(tx, id, isPaused)
      if (!upload) throw new AppError('role', ROLE_TOO_SMALL)
      const active = isPaused ? [] : await findUploadJobs(tx, id)
      await releaseJobs(
        tx,
        active.map((job) => job.id),
      )
      return upload
    })
  })

/**
 * Cancels the automatic processing of an upload's documents and ends its pause. Documents that have been processed stay
 * unchanged. Steps that other members started continue, and the result contains their number. Throws 'not_found' for an upload
 * that is not the caller's.
 */
export async function cancelUpload(actor: Actor, id: string): Promise<CancelledUpload> {
  const { upload, own, others } = await asActor(actor, async (tx) => {
    const state = await updateUpload(tx, id, false)
    if (!state) throw notFound('Upload')
    const active = await findUploadJobs(tx, id)
    const { own = [], others = [] } = Object.groupBy(active, (job) =>
      job.owner_id === actor.userId ? 'own' : 'others',
    )
    await releaseJobs(
      tx,
      others.map((job) => job.id),
    )
    return { upload: state, own, others }
  })
  await cancelEach(
    actor.userId,
    own.map((job) => job.id),
  )
  return { ...upload, continuing: others.length }
}
