import { asActor } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { tagIdsOf } from '#server/projects/index.ts'

/** Maximum number of tags that one transaction creates. */
const AT_ONCE = 50

/** Creates the tags that a project does not have yet. Call it before the transactions that link papers to the tags. */
export async function createTags(actor: Actor, projectId: string, tags: readonly string[]): Promise<void> {
  for (let at = 0; at < tags.length; at += AT_ONCE)
    await asActor(actor, (tx) => tagIdsOf(tx, { projectId, userId: actor.userId }, tags.slice(at, at + AT_ONCE)))
}
