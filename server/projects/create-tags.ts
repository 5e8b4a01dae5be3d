import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { tagIdsOf } from './tag-queries.ts'

/** Maximum number of tags that one transaction creates. */
const AT_ONCE = 50

/**
 * Creates the tags that a project does not have yet, or that the documents of the actor without a project do not have if
 * `projectId` is null. Call it before a transaction that links several papers to the tags. If such a transaction created them
 * paper by paper, it could end in a deadlock with a transaction that creates the same tags in another order.
 */
export async function createTags(actor: Actor, projectId: string | null, tags: readonly string[]): Promise<void> {
  for (let at = 0; at < tags.length; at += AT_ONCE)
    await asActor(actor, (tx) => tagIdsOf(tx, { projectId, userId: actor.userId }, tags.slice(at, at + AT_ONCE)))
}
