import { startAnalysis } from '#server/analysis/index.ts'
import { setAutomaticProcessing } from '#server/documents/index.ts'
import { startExtraction } from '#server/extraction/index.ts'
import { type CompletedJob, type JobRun, whenCompleted, work } from '#server/queue/jobs.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/db/actor.ts'
import { startVectorizing } from '#server/retrieval/index.ts'
import { writeOfRun } from './letter.ts'
import { endProcessing, processDocuments } from './process-documents.ts'
import type { QueuedProcessing } from './service.ts'

/** Concurrent runs. A run mostly waits for the jobs of its documents. */
const RUNS_AT_ONCE = 16
/** Extracting 500 scans takes hours. */
const RUN_LIMIT_SECONDS = 23 * 3600

/**
 * Registers the worker for runs over several documents and the automatic processing of new documents (the project's
 * switch 'Process new documents automatically'): extract the text, analyse it with the default prompt, vectorise it. Each
 * step is a job that users see and can cancel. A step that fails ends the chain and shows its error on the document.
 * Scans are not sent to OCR automatically.
 */
export async function registerJobs(): Promise<void> {
  const processAndTell = async (run: JobRun<QueuedProcessing>) => {
    const result = await processDocuments(run)
    await writeOfRun(run, result)
    return { ...result }
  }
  await work<QueuedProcessing>('process', processAndTell, {
    concurrency: RUNS_AT_ONCE,
    timeLimitSeconds: RUN_LIMIT_SECONDS,
    onFailed: async (failed) => ({ ...(await endProcessing(failed)) }),
  })
  setAutomaticProcessing(async (actor, documentId) => {
    await startExtraction(actor, documentId, { method: 'text', automatic: true }).catch((error: unknown) => {
      log.warn({ err: error, document: documentId }, 'a new document could not be processed automatically')
    })
  })
  whenCompleted('extract', (completed) => next(completed, (actor, id) => startAnalysis(actor, id, { automatic: true })))
  whenCompleted('analyze', (completed) => next(completed, (actor, id) => startVectorizing(actor, id, { force: false })))
}

async function next({ job, ownerId, input }: CompletedJob, start: (actor: Actor, id: string) => Promise<unknown>) {
  if (input['automatic'] && job.document_id !== null) await start({ userId: ownerId, isAdmin: false }, job.document_id)
}
