import { startAnalysis } from '#server/analysis/index.ts'
import { asActor } from '#server/db/client.ts'
import { startExtraction } from '#server/extraction/index.ts'
import { AppError, publicMessage } from '#server/lib/errors.ts'
import { cancel, type FailedJob, type JobRun, waitForEnd, wasCancelled } from '#server/queue/queue.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/db/actor.ts'
import { startVectorizing } from '#server/retrieval/index.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import type { ProcessResult, ProcessStep } from '#shared/contract/processing.ts'
import { findProcessedDocuments, type ProcessedDocument } from './queries.ts'
import type { QueuedProcessing } from './service.ts'

/** Documents of one run processed at a time: one is extracted while a model analyses another. */
const AT_ONCE = 2
const DOING: Record<ProcessStep, string> = { extract: 'Extracting', analyze: 'Analyzing', vectorize: 'Vectorizing' }
const GONE = 'Document not found'

/** State of a run, stored so that it continues after a restart. */
interface Progress {
  over: string[]
  unchanged: number
  warned: ProcessResult['warned']
  failed: ProcessResult['failed']
  /** The job that each document is waiting for. */
  waiting: Record<string, { step: ProcessStep; job: string }>
}

/**
 * Runs the steps on every document. Each step is a job that users see and can cancel on the document. A document that
 * fails is recorded and does not stop the others.
 */
export async function processDocuments(run: JobRun<QueuedProcessing>): Promise<ProcessResult> {
  const { ownerId, input, signal, report } = run
  const actor: Actor = { userId: ownerId, isAdmin: false }
  const progress: Progress = {
    over: [],
    unchanged: 0,
    warned: [],
    failed: [],
    waiting: {},
    ...(run.state as Partial<Progress> | null),
  }
  const total = input.document_ids.length
  // Current activity of each document, the latest last.
  const doing = new Map<string, string>()
  const say = () => {
    const now = [...doing.values()].at(-1) ?? (queue.length > 0 ? 'Continuing with the next document' : 'Finishing')
    report((100 * progress.over.length) / total, `${progress.over.length} of ${total} done. ${now}`)
  }
  // Sequential, so that an older state never overwrites a newer one.
  let keeping: Promise<void> = Promise.resolve()
  const keep = () => (keeping = keeping.then(() => run.saveState(progress)))
  const through = new Set(progress.over)
  const queue = input.document_ids.filter((id) => !through.has(id))

  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const id = next
      let step: ProcessStep = input.steps[0]!
      let title: string | null = null
      let isChanged = false
      try {
        for (step of input.steps) {
          signal.throwIfAborted()
          // Read again before each step, because the previous step changed the row.
          const [row] = await asActor(actor, (tx) => findProcessedDocuments(tx, [id]))
          if (!row) throw new AppError('not_found', GONE)
          title = documentTitle(row)
          const job = await jobOfStep(actor, row, step, input, progress.waiting[id])
          if (!job) continue
          isChanged = true
          progress.waiting[id] = { step, job }
          doing.delete(id)
          doing.set(id, `${DOING[step]} “${title}”`)
          say()
          await keep()
          const ended = await waitForEnd(job, signal)
          if (ended?.status !== 'completed') throw new AppError('refused', ended?.error ?? GONE)
          if (step === 'extract') progress.warned.push(...(await warningsOf(actor, id)))
        }
        if (!isChanged) progress.unchanged += 1
      } catch (error) {
        if (signal.aborted) throw error
        if (!(error instanceof AppError)) log.error({ err: error, document: id }, 'a document of a run failed')
        progress.failed.push({ document_id: id, title: title ?? 'Document', step, error: publicMessage(error) })
      }
      delete progress.waiting[id]
      doing.delete(id)
      progress.over.push(id)
      say()
      await keep()
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  if (signal.aborted && wasCancelled(signal)) await cancelWaiting(actor, progress)
  for (const ended of workers) if (ended.status === 'rejected') throw ended.reason
  return resultOf(progress, total)
}

/** Handles a run that was cancelled or failed: cancels its waiting jobs after a cancellation, and returns the result so far. */
export async function endProcessing({ ownerId, input, state, cancelled }: FailedJob<QueuedProcessing>) {
  const progress: Progress = {
    over: [],
    unchanged: 0,
    warned: [],
    failed: [],
    waiting: {},
    ...(state as Partial<Progress> | null),
  }
  if (cancelled) await cancelWaiting({ userId: ownerId, isAdmin: false }, progress)
  return resultOf(progress, input.document_ids.length)
}

/** The extraction warning of a document, if any. */
async function warningsOf(actor: Actor, id: string): Promise<ProcessResult['warned']> {
  const rows = await asActor(actor, (tx) => findProcessedDocuments(tx, [id]))
  return rows.flatMap((row) =>
    row.text_warning ? [{ document_id: id, title: documentTitle(row), warning: row.text_warning }] : [],
  )
}

const resultOf = ({ over, unchanged, warned, failed }: Progress, total: number): ProcessResult => ({
  total,
  done: over.length - unchanged - failed.length,
  unchanged,
  warned,
  failed,
})

/** Returns the job to wait for, or null when the step is done. After a restart, returns the job that was started before. */
async function jobOfStep(
  actor: Actor,
  row: ProcessedDocument,
  step: ProcessStep,
  input: QueuedProcessing,
  waiting: Progress['waiting'][string] | undefined,
): Promise<string | null> {
  if (waiting) {
    const before = input.steps.indexOf(step) - input.steps.indexOf(waiting.step)
    if (before < 0) return null
    if (before === 0) return waiting.job
  }
  if (!input.force && isDone(row, step, input.method)) return null
  const { force, method, prompt_id: promptId } = input
  const { id } = row
  if (step === 'extract') return (await startExtraction(actor, id, { method })).id
  if (step === 'analyze') return (await startAnalysis(actor, id, { promptId })).id
  return (await startVectorizing(actor, id, { force })).id
}

/** A doubtful text layer does not count as done when OCR is requested. */
function isDone(row: ProcessedDocument, step: ProcessStep, method: 'text' | 'ocr'): boolean {
  if (step === 'analyze') return row.analyzed_at !== null
  if (step === 'vectorize') return row.vectorized_at !== null
  return row.has_text && !(method === 'ocr' && row.extraction_method !== 'ocr' && row.text_warning !== null)
}

async function cancelWaiting(actor: Actor, { waiting }: Progress): Promise<void> {
  await Promise.allSettled(Object.values(waiting).map(({ job }) => cancel(actor, job)))
}
