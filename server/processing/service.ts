import { asActor } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { enqueue } from '#server/lib/jobs.ts'
import type { Actor } from '#server/lib/session.ts'
import { getPrompt } from '#server/prompts/index.ts'
import type { Job } from '#shared/jobs.ts'
import { PROCESS_STEPS, type ProcessInput, type ProcessStep } from '#shared/processing.ts'
import { findProcessedDocuments } from './queries.ts'

/** What the queue stores of a run over several documents. */
export interface QueuedProcessing {
  document_ids: string[]
  steps: ProcessStep[]
  method: 'text' | 'ocr'
  prompt_id: string | null
  force: boolean
}

/**
 * Puts the processing of several documents into the queue as one job, which outlives the page that asked for it.
 * Documents that are not there or not the caller's are left out; with none left it is refused as not found.
 */
export async function startProcessing(actor: Actor, input: ProcessInput): Promise<Job> {
  const steps = PROCESS_STEPS.filter((step) => input.steps.includes(step))
  const prompt = steps.includes('analyze') ? await getPrompt(actor, input.prompt_id) : null
  return asActor(actor, async (tx) => {
    const found = await findProcessedDocuments(tx, input.document_ids)
    if (found.length === 0) throw new AppError('not_found', 'No valid documents to process')
    const known = new Set(found.map(({ id }) => id))
    const projects = new Set(found.map(({ project_id }) => project_id))
    const { method, force } = input
    return enqueue(tx, {
      kind: 'process',
      ownerId: actor.userId,
      documentId: null,
      projectId: projects.size === 1 ? found[0]!.project_id : null,
      input: {
        // In the order in which they were chosen, each once.
        document_ids: [...new Set(input.document_ids)].filter((id) => known.has(id)),
        steps,
        method,
        prompt_id: prompt?.id ?? null,
        force,
      } satisfies QueuedProcessing,
    })
  })
}
