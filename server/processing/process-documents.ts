import { asActor } from '#server/db/client.ts'
import { AppError, publicMessage } from '#server/lib/errors.ts'
import { cancel, type FailedJob, type JobRun, waitForEnd, wasCancelled } from '#server/queue/queue.ts'
import { log } from '#server/lib/log.ts'
import { type Actor, actorFor } from '#server/db/actor.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import { NOTHING_TO_READ, type ProcessResult, type ProcessStep } from '#shared/contract/processing.ts'
import { advance } from './advance.ts'
import { findProcessedDocuments, type ProcessedDocument } from './queries.ts'
import type { QueuedProcessing } from './service.ts'

/**
 * Number of documents that a bulk run (a job for several documents) processes at a time. With two, one document is extracted
 * while a model analyzes the other.
 */
const AT_ONCE = 2
const DOING: Record<ProcessStep, string> = { extract: 'Extracting', analyze: 'Analyzing', vectorize: 'Vectorizing' }
const GONE = 'Document not found'

/** The state of a bulk run (a job for several documents). It is stored so that the job can continue after a restart. */
interface Progress {
  over: string[]
  unchanged: number
  warned: ProcessResult['warned']
  failed: ProcessResult['failed']
  /**
   * By document id: the current step, the id of its job, and the version of the text before it. A run that a former version of
   * Lectern started has no version.
   */
  waiting: Record<string, { step: ProcessStep; job: string; text_version?: number }>
}

const progressOf = (state: object | null): Progress => ({
  over: [],
  unchanged: 0,
  warned: [],
  failed: [],
  waiting: {},
  ...state,
})

/**
 * Runs the selected steps on every document of a bulk run (a job for several documents). Each step is a separate job that users
 * see on the document and can cancel. When the job of a step ends, the next step of the document starts. A document that fails
 * is recorded in the result and does not stop the others.
 */
export async function processDocuments(run: JobRun<QueuedProcessing>): Promise<ProcessResult> {
  const { ownerId, input, signal, report } = run
  const actor = actorFor(ownerId)
  const progress = progressOf(run.state)
  const total = input.document_ids.length
  // Current activity of each document, the latest last.
  const doing = new Map<string, string>()
  const reportActivity = () => {
    const now = [...doing.values()].at(-1) ?? (queue.length > 0 ? 'Continuing with the next document' : 'Finishing')
    report((100 * progress.over.length) / total, `${progress.over.length} of ${total} done. ${now}`)
  }
  // Sequential, so that an older state never overwrites a newer one.
  let saving: Promise<void> = Promise.resolve()
  const save = () => (saving = saving.then(() => run.saveState(progress)))
  const queue = input.document_ids.filter((id) => !progress.over.includes(id))

  const processDocument = async (id: string) => {
    let { steps } = input
    let step = steps[0]!
    let title = 'Document'
    // The job that was started before a restart.
    let next: Progress['waiting'][string] | null | undefined = progress.waiting[id]
    let isChanged = false
    // The version of the text before the extraction of this run.
    let formerVersion: number | undefined
    try {
      for (;;) {
        signal.throwIfAborted()
        // Read again before each step, because the previous step changed the row.
        const document = await findDocument(actor, id)
        if (!document) throw new AppError('not_found', GONE)
        title = documentTitle(document)
        if (document.has_nothing) throw new AppError('refused', NOTHING_TO_READ)
        if (!next) {
          const { text_version } = document
          const hasNewText = formerVersion !== undefined && formerVersion !== text_version
          // An analysis of the former text does not count. An analysis outside a project has no recorded run.
          const current = hasNewText ? { ...document, has_current_analysis: false } : document
          const started = await advance(actor, current, steps, input, (starting) => (step = starting))
          if (!started) break
          next = { ...started, text_version }
        }
        isChanged = true
        ;({ step } = next)
        progress.waiting[id] = next
        doing.delete(id)
        doing.set(id, `${DOING[step]} “${title}”`)
        reportActivity()
        await save()
        const ended = await waitForEnd(next.job, signal)
        if (ended?.status !== 'completed') throw new AppError('refused', ended?.error ?? GONE)
        if (step === 'extract') {
          formerVersion = next.text_version
          progress.warned.push(...(await warningsOf(actor, id)))
        }
        steps = steps.slice(steps.indexOf(step) + 1)
        next = null
      }
      if (!isChanged) progress.unchanged += 1
    } catch (error) {
      if (signal.aborted) throw error
      if (!(error instanceof AppError)) log.error({ err: error, document: id }, 'a document of a run failed')
      progress.failed.push({ document_id: id, title, step, error: publicMessage(error) })
    }
    delete progress.waiting[id]
    doing.delete(id)
    progress.over.push(id)
    reportActivity()
    await save()
  }
  const processQueue = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) await processDocument(id)
  }
  const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, processQueue))
  if (signal.aborted && wasCancelled(signal)) await cancelWaiting(actor, progress)
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  return resultOf(progress, total)
}

/**
 * Returns the result so far of a bulk run (a job for several documents) that was cancelled or failed. After a cancellation,
 * also cancels the jobs of the documents that are being processed.
 */
export async function endProcessing({ ownerId, input, state, cancelled }: FailedJob<QueuedProcessing>) {
  const progress = progressOf(state)
  if (cancelled) await cancelWaiting(actorFor(ownerId), progress)
  return resultOf(progress, input.document_ids.length)
}

const findDocument = async (actor: Actor, id: string): Promise<ProcessedDocument | undefined> =>
  (await asActor(actor, (tx) => findProcessedDocuments(tx, [id])))[0]

/** Returns a list with the extraction warning of a document, or an empty list without a warning. */
async function warningsOf(actor: Actor, id: string): Promise<ProcessResult['warned']> {
  const document = await findDocument(actor, id)
  const warning = document?.has_offer ? 'offer' : document?.text_warning
  return document && warning ? [{ document_id: id, title: documentTitle(document), warning }] : []
}

const resultOf = ({ over, unchanged, warned, failed }: Progress, total: number): ProcessResult => ({
  total,
  done: over.length - unchanged - failed.length,
  unchanged,
  warned,
  failed,
})

async function cancelWaiting(actor: Actor, { waiting }: Progress): Promise<void> {
  await Promise.allSettled(Object.values(waiting).map(({ job }) => cancel(actor, job)))
}
