import { embeddingModel, hasProvider } from '#server/ai/index.ts'
import { actorFor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { mayCallModel } from '#server/keys/index.ts'
import { type Automatic, type CompletedJob, type JobRun, registerWorker } from '#server/queue/queue.ts'
import { advance } from './advance.ts'
import { emailOfRun } from './run-email.ts'
import { endProcessing, processDocuments } from './process-documents.ts'
import { endNewPapers, type QueuedNewPapers, runNewPapers } from './new-papers.ts'
import { findProcessedDocuments } from './queries.ts'
import type { QueuedProcessing } from './service.ts'

/**
 * Maximum number of bulk runs (jobs of kind 'process', each for several documents) that are active at the same time. A bulk run
 * mostly waits for the jobs of its documents.
 */
const RUNS_AT_ONCE = 16
/**
 * Time limit in seconds of a bulk run (a job for several documents). It is long because the extraction of 500 scanned documents
 * takes hours.
 */
const RUN_LIMIT_SECONDS = 23 * 3600

/** Registers the worker for bulk runs (jobs that process several documents). */
export function registerJobs(): void {
  const processAndEmail = async (run: JobRun<QueuedProcessing>) => {
    const result = await processDocuments(run)
    await emailOfRun(run, result)
    return { ...result }
  }
  const handle = async (run: JobRun<QueuedProcessing | QueuedNewPapers>) => {
    const { input } = run
    // No e-mail: users did not start these runs.
    if ('new_papers' in input) return { ...(await runNewPapers({ ...run, input })) }
    return processAndEmail({ ...run, input })
  }
  registerWorker<QueuedProcessing | QueuedNewPapers>('process', handle, {
    concurrency: RUNS_AT_ONCE,
    timeLimitSeconds: RUN_LIMIT_SECONDS,
    onFailed: async (failed) => {
      const { input } = failed
      return {
        ...('new_papers' in input
          ? await endNewPapers({ ...failed, input })
          : await endProcessing({ ...failed, input })),
      }
    },
  })
}

/** The steps that need only the text of a document. Both start when the text is extracted, and run concurrently. */
const AFTER_TEXT = ['analyze', 'vectorize'] as const

/**
 * Continues the automatic processing of a document after the extraction of its text: starts the analysis with the default
 * prompt and the vectorizing. Both run concurrently, so that a slow model does not delay the first question. Does nothing after
 * an analysis, or for a job without `automatic`. Omits a step with a model that costs tokens if an API key without the scope
 * 'ask' added the document.
 */
export async function continueAutomatic(completed: CompletedJob<{ automatic?: Automatic }>): Promise<void> {
  const { job, ownerId, input } = completed
  const { document_id: documentId, kind } = job
  if (!input.automatic || documentId === null || kind === 'analyze') return
  const actor = actorFor(ownerId)
  const [document] = await asActor(actor, (tx) => findProcessedDocuments(tx, [documentId]))
  if (!document) return
  // The analysis of an older text is repeated.
  const options = { method: 'auto', prompt_id: null, force: true, automatic: true } as const
  const steps: (typeof AFTER_TEXT)[number][] = []
  for (const step of AFTER_TEXT)
    if (await mayCallModel(step === 'analyze' ? { isFree: !hasProvider() } : embeddingModel())) steps.push(step)
  const started = await Promise.allSettled(steps.map((step) => advance(actor, document, [step], options)))
  for (const start of started) if (start.status === 'rejected') throw start.reason
}
