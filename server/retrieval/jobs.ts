import { actorFor } from '#server/db/actor.ts'
import { vectorizeAfterEdit } from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { registerWorker } from '#server/queue/queue.ts'
import { vectorizeDocument } from './service.ts'

export { startIndexing, stopIndexing } from './build-index.ts'
export { startRenewal, stopRenewal } from './renew-vectors.ts'

/** Delay in seconds before a job starts again after the paper or the embedding model changed while it ran. */
const CHANGED_WAIT_SECONDS = 5

/**
 * Registers the worker for `vectorize` jobs. It runs one job at a time, because the embedding already uses all cores. If the
 * paper changes meanwhile, the job starts again: while it runs, the change starts no other job.
 */
export function registerJobs(): void {
  registerWorker(
    'vectorize',
    async ({ job, ownerId, signal, report, assertStillRunning, postpone }) =>
      vectorizeDocument(actorFor(ownerId), job.document_id!, { signal, report, assertStillRunning }).catch(
        (error: unknown) => {
          if (!(error instanceof AppError) || error.code !== 'conflict') throw error
          return postpone(
            CHANGED_WAIT_SECONDS,
            'The paper or the embedding model changed. Vectorizing starts again in a few seconds.',
          )
        },
      ),
    {
      // An edit between the storing of the vectors and the end of this job did not queue another job. This does.
      onCompleted: async ({ job, ownerId }) => vectorizeAfterEdit(actorFor(ownerId), job.document_id!),
    },
  )
}
