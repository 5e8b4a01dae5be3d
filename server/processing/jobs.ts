import { startAnalysis } from '#server/analysis/index.ts'
import { setAutomaticProcessing } from '#server/documents/index.ts'
import { startExtraction } from '#server/extraction/index.ts'
import { type CompletedJob, type JobRun, registerWorker } from '#server/queue/queue.ts'
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
export function registerJobs(): void {
  const processAndTell = async (run: JobRun<QueuedProcessing>) => {
    const result = await processDocuments(run)
    await writeOfRun(run, result)
    return { ...result }
  }
  registerWorker<QueuedProcessing>('process', processAndTell, {
    concurrency: RUNS_AT_ONCE,
    timeLimitSeconds: RUN_LIMIT_SECONDS,
    onFailed: async (failed) => ({ ...(await endProcessing(failed)) }),
  })
  setAutomaticProcessing(async (actor, documentId) => {
    await startExtraction(actor, documentId, { method: 'text', automatic: true }).catch((error: unknown) => {
      log.warn({ err: error, document: documentId }, 'a new document could not be processed automatically')
    })
  })
}

/** Starts the step that follows a completed job of automatic processing. */
export async function continueAutomatic({ job, ownerId, input }: CompletedJob<{ automatic?: true }>): Promise<void> {
  if (!input.automatic || job.document_id === null) return
  const actor: Actor = { userId: ownerId, isAdmin: false }
  if (job.kind === 'extract') await startAnalysis(actor, job.document_id, { automatic: true })
  else await startVectorizing(actor, job.document_id, { force: false })
}
