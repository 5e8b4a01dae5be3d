import { failDocument, settleDocument } from '#server/documents/index.ts'
import { work } from '#server/queue/jobs.ts'
import { analyzeDocument, type QueuedAnalysis } from './service.ts'

/** Two at a time: one can wait for a provider while the built-in model reads another. */
const CONCURRENCY = 2

/**
 * Registers the handler of analyses. A failure sets the document's status to error, with the reason; a cancellation
 * leaves the document unchanged.
 */
export async function registerJobs(): Promise<void> {
  await work<QueuedAnalysis>(
    'analyze',
    ({ job, ownerId, input, signal, report, guard }) =>
      analyzeDocument({ userId: ownerId, isAdmin: false }, job.document_id!, input, {
        signal,
        report,
        guard,
      }),
    {
      concurrency: CONCURRENCY,
      onFailed: async ({ job, ownerId, error, cancelled }) => {
        if (job.document_id === null) return
        const actor = { userId: ownerId, isAdmin: false }
        await (cancelled ? settleDocument(actor, job.document_id) : failDocument(actor, job.document_id, error))
      },
    },
  )
}
