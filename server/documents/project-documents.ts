import { asActor, asActorWithDeleted, brokenConstraint, type Tx } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import { publish } from '#server/lib/events.ts'
import { dropJobsOf } from '#server/lib/jobs.ts'
import type { Actor } from '#server/lib/session.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import type { DocumentsMove } from '#shared/documents.ts'
import { hideDocumentRows, listIdsOf, moveDocumentRows } from './queries.ts'

/** Pages that show one document hear of it by name up to this many; lists hear of any number. */
const NAMED_IN_EVENTS = 100

/** Moves all documents of one project to another or to none, however many: all of them or, when it fails, none. */
export function moveDocuments(actor: Actor, move: DocumentsMove): Promise<{ count: number }> {
  return asActor(actor, async (tx) => {
    for (const id of [move.from_project_id, move.project_id]) if (id) await projectOrThrow(tx, id)
    const ids = await moveDocumentRows(tx, move.from_project_id, move.project_id)
    await tell(tx, actor, ids, move.project_id)
    for (const id of [move.from_project_id, move.project_id])
      if (id && ids.length > 0) await publish(tx, actor.userId, { event: 'project', data: { id, change: 'updated' } })
    return { count: ids.length }
  }).catch((error: unknown) => {
    // The other project went between the look and the move.
    if (brokenConstraint(error) === 'documents_project_of_owner') throw notFound('Project')
    throw error
  })
}

/** Deletes all documents of a project, however many; for thirty days they can come back. */
export async function deleteDocumentsOf(actor: Actor, projectId: string): Promise<{ count: number }> {
  await asActor(actor, (tx) => projectOrThrow(tx, projectId))
  return { count: await hideDocuments(actor, (tx) => listIdsOf(tx, projectId)) }
}

/** Puts documents of the caller among what is deleted and stops the work on them; answers how many there were. */
export async function hideDocuments(actor: Actor, choose: (tx: Tx) => Promise<string[]>): Promise<number> {
  return asActorWithDeleted(actor, async (tx) => {
    const ids = await choose(tx)
    // Before the documents are locked, in the order in which jobs lock; and after, for what was begun in between.
    await dropJobsOf(tx, actor.userId, ids)
    const gone = await hideDocumentRows(tx, ids)
    await dropJobsOf(tx, actor.userId, ids)
    for (const { id, project_id } of gone.slice(0, NAMED_IN_EVENTS))
      await publish(tx, actor.userId, { event: 'document', data: { id, project_id, change: 'deleted' } })
    return gone.length
  })
}

async function tell(tx: Tx, actor: Actor, ids: string[], project_id: string | null) {
  for (const id of ids.slice(0, NAMED_IN_EVENTS))
    await publish(tx, actor.userId, { event: 'document', data: { id, project_id, change: 'updated' } })
}
