import { work } from '#server/queue/jobs.ts'
import { vectorizeDocument } from './service.ts'

/** Registers the worker for `vectorize` jobs. It runs one at a time, because the embedding already uses all cores. */
export async function registerJobs(): Promise<void> {
  await work('vectorize', ({ job, ownerId, signal, report, guard }) =>
    vectorizeDocument({ userId: ownerId, isAdmin: false }, job.document_id!, { signal, report, guard }),
  )
}
