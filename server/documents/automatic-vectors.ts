import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { enqueue } from '#server/queue/queue.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import { abstractText } from './abstract-text.ts'
import { documentOrThrow } from './rows.ts'

/**
 * Edits within this many seconds share one job, unless a user vectorizes the paper. Until then, only keyword search finds the
 * paper.
 */
const DELAY_SECONDS = 10

/**
 * Vectorizes a paper that has no PDF and no vectors, for example because a change of its title or abstract removed them, if its
 * project processes new documents automatically. A waiting job reads the new values. A running job compares them before it
 * stores vectors. Call it after the commit; otherwise a job that ends at that moment reads the former values. An error is only
 * logged, because the change is stored.
 */
export async function vectorizeAfterEdit(actor: Actor, documentId: string): Promise<void> {
  try {
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
