import type { Actor } from '#server/db/actor.ts'
import type { Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import type { StoredConversation } from './queries.ts'

/**
 * Publishes a change or the deletion of a conversation, a new question in it, or the end of an answer, to the users who can
 * read it before or after the change. `next` is the new visibility, if it changes.
 */
export async function publishChange(
  tx: Tx,
  actor: Actor,
  { project_id, visibility, created_by }: StoredConversation,
  next?: StoredConversation['visibility'],
): Promise<void> {
  if (project_id === null) return
  const isShared = visibility === 'project' || next === 'project'
  await publish(tx, isShared ? { projectId: project_id } : { userId: created_by }, {
    event: 'project',
    data: { id: project_id, change: 'updated', part: 'conversations', by: actor.userId },
  })
}
