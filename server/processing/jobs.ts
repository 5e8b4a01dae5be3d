import { asActor } from '#server/db/client.ts'
import { type CompletedJob, type JobRun, registerWorker } from '#server/queue/queue.ts'
import { PROCESS_STEPS, type ProcessStep } from '#shared/contract/processing.ts'
import { advance } from './advance.ts'
import { emailOfRun } from './run-email.ts'
import { endProcessing, processDocuments } from './process-documents.ts'
import { findProcessedDocuments } from './queries.ts'
import type { QueuedProcessing } from './service.ts'

/** Concurrent runs. A run mostly waits for the jobs of its documents. */
const RUNS_AT_ONCE = 16
/** Extracting 500 scans takes hours. */
const RUN_LIMIT_SECONDS = 23 * 3600

/** Registers the worker for runs over several documents. */
export function registerJobs(): void {
  const processAndEmail = async (run: JobRun<QueuedProcessing>) => {
    const result = await processDocuments(run)
    await emailOfRun(run, result)
    return { ...result }
  }
  registerWorker<QueuedProcessing>('process', processAndEmail, {
    concurrency: RUNS_AT_ONCE,
    timeLimitSeconds: RUN_LIMIT_SECONDS,
    onFailed: async (failed) => ({ ...(await endProcessing(failed)) }),
  })
}

/**
 * Continues the automatic processing of a document (the project's switch 'Process new documents automatically') after one
 * of its jobs has completed: extract the text, analyse it with the default prompt, vectorise it. Each step is a job that
 * users see and can cancel. A step that fails ends the processing and shows its error on the document. OCR reads the pages
 * without a usable text layer.
 */
export async function continueAutomatic(completed: CompletedJob<{ automatic?: true }>): Promise<void> {
  const { job, ownerId, input } = completed
  const { document_id: documentId, kind } = job
  if (!input.automatic || documentId === null) return
  const actor = { userId: ownerId, isAdmin: false }
  const [document] = await asActor(actor, (tx) => findProcessedDocuments(tx, [documentId]))
  if (!document) return
  const done = kind === 'ocr' ? 'extract' : (kind as ProcessStep)
  const rest = PROCESS_STEPS.slice(PROCESS_STEPS.indexOf(done) + 1)
  // The analysis of an older text is repeated.
  const force = done === 'extract'
  await advance(actor, document, rest, { method: 'auto', prompt_id: null, force, automatic: true })
}
