import { embeddingModel } from '#server/ai/index.ts'
import { asActor } from '#server/db/client.ts'
import { type Actor, actorFor } from '#server/db/actor.ts'
import { mayCallModel } from '#server/keys/index.ts'
import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { cancel, enqueue, type FailedJob, type JobRun, waitForEnd, wasCancelled } from '#server/queue/queue.ts'
import { startVectorizing } from '#server/retrieval/index.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { ProcessResult } from '#shared/contract/processing.ts'
import { countNewPapers, listNewPapers, type NewPaper, type NewPapers } from './new-papers-queries.ts'

/** The input of a queued job that vectorizes new papers of a project. */
export interface QueuedNewPapers {
  new_papers: NewPapers & { project_id: string }
}

/** Number of papers that one query reads. */
const SOME = 50
/** Codes of errors that also affect the next papers, such as an outage of the model or an exceeded budget. */
const OUTAGES: ReadonlySet<string> = new Set([
  'outside_failed',
  'outside_slow',
  'too_many',
  'over_budget',
  'not_configured',
] satisfies ErrorCode[])
const AUTOMATIC = { force: true, automatic: true } as const
/**
 * Number of consecutive failures by outages (see OUTAGES) after which `runNewPapers` ends. The job of each paper has already
 * been retried.
 */
const OUTAGES_MAX = 3

/**
 * Starts to vectorize new papers that have an abstract and no file, in the projects that process new documents automatically,
 * if `mayCallModel` allows the embedding model. A single new paper in a project gets its own job of kind 'vectorize'. Several
 * new papers in a project get one job of kind 'process', which vectorizes them one after the other (see `runNewPapers`). Call
 * it outside a transaction, after the papers are stored. An error is only logged, because the papers themselves are stored.
 */
export async function processNewPapers(actor: Actor, papers: NewPapers): Promise<void> {
  try {
    if (!(await mayCallModel(embeddingModel()))) return
    for (const { project_id, count, first } of await asActor(actor, (tx) => countNewPapers(tx, papers))) {
      if (count === 1) await startVectorizing(actor, first, AUTOMATIC)
      else await startRun(actor, { ...papers, project_id })
    }
  } catch (error) {
    log.warn({ err: error }, 'new papers could not be processed automatically')
  }
}

const startRun = (actor: Actor, new_papers: QueuedNewPapers['new_papers']): Promise<Job> =>
  asActor(actor, (tx) =>
    enqueue(tx, {
      kind: 'process',
      ownerId: actor.userId,
      documentId: null,
      projectId: new_papers.project_id,
      input: { new_papers } satisfies QueuedNewPapers,
    }),
  )

/**
 * The state of a job that vectorizes new papers (see `runNewPapers`). It is stored so that the job can continue after a
 * restart.
 */
interface Progress {
  total: number
  done: number
  failed: ProcessResult['failed']
  /** The paper that is being vectorized, and the id of its own job ('vectorize'), whose end `runNewPapers` waits for. */
  waiting: { id: string; title: string; job: string } | null
}

/**
 * Vectorizes new papers one after the other. An import of thousands of papers therefore delays a job of another user only by
 * the time for one abstract. Each paper has its own job, which users see and can cancel. Skips papers that are deleted, get a
 * PDF or are vectorized by a user meanwhile. Throws after OUTAGES_MAX consecutive failures for reasons that also affect the
 * next papers, such as an outage of the model.
 */
export async function runNewPapers(run: JobRun<QueuedNewPapers>): Promise<ProcessResult> {
  const { ownerId, input, signal, report } = run
  const actor = actorFor(ownerId)
  const papers = input.new_papers
  const progress = progressOf(run.state) ?? { total: await countAll(actor, papers), done: 0, failed: [], waiting: null }
  let outages = 0

  const settle = async ({ id, title, job }: NonNullable<Progress['waiting']>) => {
    const ended = await waitForEnd(job, signal)
    progress.waiting = null
    if (ended?.status === 'completed') progress.done += 1
    // The job of a deleted paper is deleted.
    else if (ended) progress.failed.push({ document_id: id, title, step: 'vectorize', error: ended.error ?? '' })
    outages = OUTAGES.has(ended?.error_code ?? '') ? outages + 1 : 0
    if (outages === OUTAGES_MAX) throw new AppError('refused', ended?.error ?? '')
  }

  try {
    // The job that was started before a restart.
    if (progress.waiting) await settle(progress.waiting)
    for (let after: string | null = null; ;) {
      const from: string | null = after
      signal.throwIfAborted()
      const page: NewPaper[] = await asActor(actor, (tx) => listNewPapers(tx, papers, from, SOME))
      if (page.length === 0) return resultOf(progress)
      for (const paper of page) {
        signal.throwIfAborted()
        if (progress.failed.some(({ document_id }) => document_id === paper.id)) continue
        const title = documentTitle(paper)
        const count = progress.done + progress.failed.length
        report(
          (100 * count) / Math.max(progress.total, 1),
          `${count} of ${progress.total} done. Vectorizing “${title}”`,
        )
        const job = await start(actor, paper.id)
        if (!job) continue
        progress.waiting = { id: paper.id, title, job: job.id }
        await run.saveState(progress)
        await settle(progress.waiting)
      }
      after = page.at(-1)!.id
    }
  } catch (error) {
    if (signal.aborted && wasCancelled(signal)) await cancelWaiting(actor, progress)
    throw error
  }
}

/**
 * Returns the result so far of a job that vectorizes new papers and was cancelled or failed. After a cancellation, also cancels
 * the job of the paper that is being vectorized.
 */
export async function endNewPapers({ ownerId, state, cancelled }: FailedJob<QueuedNewPapers>) {
  const progress = progressOf(state)
  if (!progress) return undefined
  if (cancelled) await cancelWaiting(actorFor(ownerId), progress)
  return resultOf(progress)
}

const progressOf = (state: object | null) => state as Progress | null

const countAll = async (actor: Actor, papers: QueuedNewPapers['new_papers']): Promise<number> =>
  (await asActor(actor, (tx) => countNewPapers(tx, papers)))[0]?.count ?? 0

/**
 * Starts the job that vectorizes a paper. Returns undefined if the paper has been deleted or changed, or if a job vectorizes it
 * already.
 */
const start = (actor: Actor, id: string): Promise<Job | undefined> =>
  startVectorizing(actor, id, AUTOMATIC).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    return undefined
  })

const resultOf = ({ total, done, failed }: Progress): ProcessResult => ({
  total,
  done,
  unchanged: 0,
  warned: [],
  failed,
})

async function cancelWaiting(actor: Actor, { waiting }: Progress): Promise<void> {
  if (waiting) await Promise.allSettled([cancel(actor, waiting.job)])
}
