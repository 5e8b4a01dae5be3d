import { actorFor } from '#server/db/actor.ts'
import { vectorizeAfterEdit } from '#server/documents/index.ts'
import { postponeOnConflict, registerWorker } from '#server/queue/queue.ts'
import { vectorizeDocument } from './service.ts'

export { startIndexing, stopIndexing } from './build-index.ts'
export { startRenewal, stopRenewal } from './renew-vectors.ts'

/**
 * Registers the worker for `vectorize` jobs. It runs one job at a time, because the embedding already uses all cores. If the
 * paper changes meanwhile, the job starts again: while it runs, the change starts no other job.
 */
export function registerJobs(): void {
  registerWorker(
    'vectorize',
    async ({ job, ownerId, signal, report, assertStillRunning, postpone }) =>
      vectorizeDocument(actorFor(ownerId), job.document_id!, { signal, report, assertStillRunning }).catch(
        postponeOnConflict(
          postpone,
          'The paper or the embedding model changed. Vectorizing starts again in a few seconds.',
        ),
      ),
    {
      // An edit between the storing of the vectors and the end of this job did not queue another job. This does.
      onCompleted: async ({ job, ownerId }) => vectorizeAfterEdit(actorFor(ownerId), job.document_id!),
    },
  )
}
