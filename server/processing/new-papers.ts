import { asActor } from '#server/db/client.ts'
import { type Actor, actorFor } from '#server/db/actor.ts'
import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { cancel, enqueue, type FailedJob, type JobRun, waitForEnd, wasCancelled } from '#server/queue/queue.ts'
import { startVectorizing } from '#server/retrieval/index.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { ProcessResult } from '#shared/contract/processing.ts'
import { countNewPapers, listNewPapers, type NewPaper, type NewPapers } from './new-papers-queries.ts'

/** Input of a queued run over new papers of a project. */
export interface QueuedNewPapers {
  new_papers: NewPapers & { project_id: string }
}

/** Papers that one query reads. */
const SOME = 50
/** Errors of the model and of the budget, which the next papers would have too. */
const OUTAGES: ReadonlySet<string> = new Set([
  'outside_failed',
  'outside_slow',
  'too_many',
  'over_budget',
  'not_configured',
] satisfies ErrorCode[])
const AUTOMATIC = { force: true, automatic: true } as const
/** After this many consecutive outages, the run ends. Each has been retried by its job. */
const OUTAGES_MAX = 3

/**
 * Vectorizes the new papers that have an abstract and no file, if their project processes new documents automatically: a
 * single paper by a job of its own, several by one run. Call it outside a transaction, after the papers are stored. An error
 * is only logged, because the papers are in the project.
 */
export async function processNewPapers(actor: Actor, papers: NewPapers): Promise<void> {
  try {
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

/** State of a run, stored so that it continues after a restart. */
interface Progress {
  total: number
  done: number
  failed: ProcessResult['failed']
  /** The paper whose job the run waits for. */
  waiting: { id: string; title: string; job: string } | null
}

/**
 * Vectorizes the papers one after the other: an import of thousands delays the jobs of others by one abstract at a time. Each
 * step is a job that users see and can cancel. Papers that are deleted meanwhile, get a PDF or are vectorized by a user are
 * left out. Throws after several consecutive outages of the model.
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

/** Handles a run that was cancelled or failed: cancels its waiting job after a cancellation, and returns the result so far. */
export async function endNewPapers({ ownerId, state, cancelled }: FailedJob<QueuedNewPapers>) {
  const progress = progressOf(state)
  if (!progress) return undefined
  if (cancelled) await cancelWaiting(actorFor(ownerId), progress)
  return resultOf(progress)
}

const progressOf = (state: object | null) => state as Progress | null

const countAll = async (actor: Actor, papers: QueuedNewPapers['new_papers']): Promise<number> =>
  (await asActor(actor, (tx) => countNewPapers(tx, papers)))[0]?.count ?? 0

/** Starts the job of a paper. Returns undefined if the paper was deleted or changed, or a user vectorizes it already. */
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
