import { asActor, brokenConstraint } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import { publish } from '#server/events/events.ts'
import type { Actor } from '#server/db/actor.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import type { DocumentsMove } from '#shared/contract/document-edits.ts'
import { moveDocumentRows } from './queries.ts'
import { publishChanges } from './rows.ts'

/** Moves all documents of one project to another or to none, in one transaction. */
export function moveDocuments(actor: Actor, move: DocumentsMove): Promise<{ count: number }> {
  return asActor(actor, async (tx) => {
    for (const id of [move.from_project_id, move.project_id]) if (id) await projectOrThrow(tx, id)
    const ids = await moveDocumentRows(tx, move.from_project_id, move.project_id)
    const moved = ids.map((id) => ({ id, project_id: move.project_id }))
    await publishChanges(tx, actor.userId, moved, 'updated')
    for (const id of [move.from_project_id, move.project_id])
      if (id && ids.length > 0) await publish(tx, actor.userId, { event: 'project', data: { id, change: 'updated' } })
    return { count: ids.length }
  }).catch((error: unknown) => {
    // The other project was deleted after the check.
    if (brokenConstraint(error) === 'documents_project_of_owner') throw notFound('Project')
    throw error
  })
}
