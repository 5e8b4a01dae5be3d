import { asActor } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { type JobRun, registerWorker } from '#server/queue/queue.ts'
import { log } from '#server/lib/log.ts'
import { actorFor } from '#server/db/actor.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import { NO_QUESTION, SAVING_FAILED } from '#shared/contract/recommendations.ts'
import { findResearch } from './research.ts'
import { saveChosen, withdrawRetracted } from './service.ts'

const AT_ONCE = 2
const TIME_LIMIT_SECONDS = 10 * 60

/** Registers the worker for `research` jobs. */
export function registerJobs(): void {
  registerWorker('research', generate, { concurrency: AT_ONCE, timeLimitSeconds: TIME_LIMIT_SECONDS })
}

async function generate({ job, ownerId, signal, report, assertStillRunning }: JobRun) {
  const actor = actorFor(ownerId)
  const projectId = job.project_id!
  // Read now: the question may have changed while the job was queued.
  const { research_question: question } = await asActor(actor, (tx) => projectOrThrow(tx, projectId, 'edit'))
  if (!question?.trim()) throw new AppError('refused', NO_QUESTION)
  const { chosen, found, model } = await findResearch(actor, { question, projectId }, { signal, report }).catch(
    (error: unknown) => {
      // Not retried: every call was retried already, and the user can start the search again.
      throw error instanceof AppError && !signal.aborted
        ? new AppError('refused', error.message, { cause: error })
        : error
    },
  )
  report(92, 'Looking for retractions')
  await withdrawRetracted(actor, projectId, signal)
  report(95, 'Saving recommendations')
  const added = await asActor(actor, async (tx) => {
    await assertStillRunning(tx)
    return saveChosen(tx, actor, projectId, chosen)
  }).catch((error: unknown) => {
    if (signal.aborted || (error instanceof Error && error.name === 'AbortError')) throw error
    log.error({ err: error, job: job.id }, 'recommendations could not be saved')
    throw new AppError('internal', SAVING_FAILED, { cause: error })
  })
  return { added, found, model }
}
