import { asActor } from '#server/db/client.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { checkLanguages } from '#server/extraction/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { authorize } from '#server/members/index.ts'
import { enqueue } from '#server/queue/queue.ts'
import type { Actor } from '#server/db/actor.ts'
import { checkProject } from '#server/projects/index.ts'
import { getPrompt } from '#server/prompts/index.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import {
  type ExtractionMethod,
  FAILED_SHOWN,
  NOTHING_TO_READ,
  NOTHING_TO_READ_IN_ANY,
  PROCESS_STEPS,
  type ProcessInput,
  type ProcessStep,
  type ProgressQuery,
  type ProjectProgress,
} from '#shared/contract/processing.ts'
import { countProgress, findFailures, findPace, findProcessedDocuments } from './queries.ts'

/** The input of a queued bulk run (a job for several documents). */
export interface QueuedProcessing {
  document_ids: string[]
  steps: ProcessStep[]
  method: ExtractionMethod
  ocr_languages?: string[] | undefined
  prompt_id: string | null
  force: boolean
}

/**
 * Queues the processing of several documents as one job. Skips documents that do not exist or that the caller may not read.
 * Throws 'not_found' if it would skip all, 'role' if the caller may only read one of them, and 'refused' if none has a PDF, a
 * text or an abstract.
 */
export async function startProcessing(actor: Actor, input: ProcessInput): Promise<Job> {
  const steps = PROCESS_STEPS.filter((step) => input.steps.includes(step))
  checkLanguages(input.ocr_languages)
  const prompt = steps.includes('analyze') ? await getPrompt(actor, input.prompt_id) : null
  return asActor(actor, async (tx) => {
    const found = await findProcessedDocuments(tx, input.document_ids)
    if (found.length === 0) throw new AppError('not_found', 'No valid documents to process')
    for (const row of found) authorize(row, 'edit', 'Document')
    if (found.every(({ has_nothing }) => has_nothing))
      throw new AppError('refused', found.length === 1 ? NOTHING_TO_READ : NOTHING_TO_READ_IN_ANY)
    const known = new Set(found.map(({ id }) => id))
    const projects = new Set(found.map(({ project_id }) => project_id))
    const { method, ocr_languages, force } = input
    return enqueue(tx, {
      kind: 'process',
      ownerId: actor.userId,
      documentId: null,
      projectId: projects.size === 1 ? found[0]!.project_id : null,
      input: {
        // In the chosen order, without duplicates.
        document_ids: [...new Set(input.document_ids)].filter((id) => known.has(id)),
        steps,
        method,
        ...(ocr_languages ? { ocr_languages } : {}),
        prompt_id: prompt?.id ?? null,
        force,
      } satisfies QueuedProcessing,
    })
  })
}

/**
 * Returns the numbers of ready, open (in progress) and failed documents of a project, the latest failures, and for an upload
 * the estimated remaining time. Throws 'not_found'.
 */
export function readProgress(actor: Actor, projectId: string, query: ProgressQuery): Promise<ProjectProgress> {
  return asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'read')
    const failures = await findFailures(tx, projectId, query, FAILED_SHOWN)
    const counts = await countProgress(tx, projectId, query)
    const { upload_id: uploadId } = query
    const pace = uploadId === undefined ? undefined : await withOwnerRole(tx, () => findPace(tx, projectId, uploadId))
    return {
      ...counts,
      is_paused: pace?.is_paused ?? false,
      seconds_left: pace ? secondsLeft(counts.open, pace) : null,
      failures: failures.map(({ id, step, message, error_code, ...row }) => ({
        document_id: id,
        title: documentTitle(row),
        step,
        message: message ?? '',
        error_code,
      })),
    }
  })
}

/**
 * Estimates the remaining time of an upload in seconds from the average time of the documents that are ready. Null for a paused
 * upload, before a document is ready, and when no document is open.
 */
function secondsLeft(open: number, pace: { is_paused: boolean; seconds: number; ready: number }): number | null {
  if (pace.is_paused || pace.ready === 0 || open === 0) return null
  return Math.ceil((open * pace.seconds) / pace.ready)
}
