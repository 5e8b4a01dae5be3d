import { embeddingModel } from '#server/ai/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { mayCallModel } from '#server/keys/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { enqueue } from '#server/queue/queue.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import { abstractText } from './abstract-text.ts'
import { documentOrThrow } from './rows.ts'

/**
 * Delay in seconds between an edit and the job that vectorizes the paper, so that several edits need only one job. Until then,
 * only keyword search finds the paper.
 */
const DELAY_SECONDS = 10

/**
 * Queues a job that vectorizes a paper without a PDF, if it has an abstract and no vectors (an edit of its title or abstract
 * removes them), its project processes new documents automatically, and `mayCallModel` allows the embedding model. Call it
 * after the commit of the edit, so that the job reads the new values. An error is only logged, because the edit is already
 * stored.
 */
export async function vectorizeAfterEdit(actor: Actor, documentId: string): Promise<void> {
  try {
    if (!(await mayCallModel(embeddingModel()))) return
    await asActor(actor, async (tx) => {
      const { id, project_id, vectorized_at, ...paper } = await documentOrThrow(tx, documentId, 'edit')
      if (project_id === null || vectorized_at !== null || abstractText(paper) === null) return
      if (!(await projectOrThrow(tx, project_id, 'edit')).process_automatically) return
      await enqueue(tx, {
        kind: 'vectorize',
        ownerId: actor.userId,
        documentId: id,
        projectId: project_id,
        input: { automatic: true },
        delaySeconds: DELAY_SECONDS,
      })
    })
  } catch (error) {
    // The paper was deleted, a user vectorizes it already, or the account has lost its right.
    if (error instanceof AppError && ['not_found', 'conflict', 'role', 'refused'].includes(error.code)) return
    log.warn({ err: error, document: documentId }, 'an edited paper could not be vectorized automatically')
  }
}
