import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { checkProject } from '#server/projects/index.ts'
import { enqueue } from '#server/queue/queue.ts'
import { job as jobSchema, type Job } from '#shared/contract/jobs.ts'
import { findActiveSearch, lockSearch } from './queries.ts'

/**
 * Starts a job that compares all papers of a project in the background ('Look for duplicates'). Returns the job that already
 * exists if it has not ended. Throws 'not_found' or 'role'.
 */
export const lookForDuplicates = (actor: Actor, projectId: string): Promise<Job> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'edit')
    await lockSearch(tx, projectId)
    const active = await findActiveSearch(tx, projectId)
    if (active) return jobSchema.parse({ ...active, is_own: active.owner_id === actor.userId })
    return enqueue(tx, { kind: 'duplicates', ownerId: actor.userId, documentId: null, projectId, input: {} })
  })
