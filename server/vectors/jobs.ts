import { work } from '#server/lib/jobs.ts'
import { vectorizeDocument } from './service.ts'

/** Takes the queue's vectorising jobs, one at a time: the embedding uses the machine's cores by itself. */
export async function registerJobs(): Promise<void> {
  await work('vectorize', ({ job, ownerId, signal, report, guard }) =>
    vectorizeDocument({ userId: ownerId, isAdmin: false }, job.document_id!, { signal, report, guard }),
  )
}
