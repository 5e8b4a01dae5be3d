import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { checkProject, createTags } from '#server/projects/index.ts'
import { listTagNames } from './queries.ts'

/**
 * Creates the tags of documents that the project `projectId` (null: no project) does not have yet. Call it before the
 * transaction that moves or copies the documents to the project (see `createTags`). Throws 'not_found' if the project does not
 * exist or the caller is not a member, and 'role' if the caller may not edit it.
 */
export async function createTagsOf(actor: Actor, ids: readonly string[], projectId: string | null): Promise<void> {
  const names = await asActor(actor, async (tx) => {
    if (projectId !== null) await checkProject(tx, projectId, 'edit')
    return listTagNames(tx, ids)
  })
  await createTags(actor, projectId, names)
}
