import { actorFor } from '#server/db/actor.ts'
import { failDocument, settleDocument } from '#server/documents/index.ts'
import { type CompletedJob, postponeOnConflict, registerWorker } from '#server/queue/queue.ts'
import { analyzeDocument, type QueuedAnalysis } from './service.ts'

/** Number of analyses that run at the same time. One can wait for a provider while the built-in model reads another paper. */
const CONCURRENCY = 2

/**
 * Registers the handler of analyses. A failure sets the document's status to error, with the reason; a cancellation leaves the
 * document unchanged. If the paper changes meanwhile, the job starts again: while it runs, the change starts no other analysis.
 * `onCompleted` is called after each completed analysis.
 */
export function registerJobs(onCompleted: (completed: CompletedJob<QueuedAnalysis>) => Promise<void>): void {
  registerWorker<QueuedAnalysis>(
    'analyze',
    ({ job, ownerId, input, signal, report, assertStillRunning, postpone }) =>
      analyzeDocument(actorFor(ownerId), job.document_id!, input, { signal, report, assertStillRunning }).catch(
        postponeOnConflict(postpone, 'The paper changed. The analysis starts again in a few seconds.'),
      ),
    {
      concurrency: CONCURRENCY,
      onCompleted,
      onFailed: async ({ job, error, cancelled }) => {
        if (job.document_id === null) return
        await (cancelled ? settleDocument(job.document_id, job.id) : failDocument(job.document_id, error))
      },
    },
  )
}
