import { asActor, brokenConstraint, type Tx } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import { publish } from '#server/lib/events.ts'
import type { Actor } from '#server/lib/session.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import type { DocumentsMove } from '#shared/documents.ts'
import { deleteDocumentRowsOf, moveDocumentRows } from './queries.ts'
import { removeFile } from './remove-file.ts'

/** Pages that show one document hear of it by name up to this many; lists hear of any number. */
const NAMED_IN_EVENTS = 100
const FILES_AT_ONCE = 8

/** Moves all documents of one project to another or to none, however many: all of them or, when it fails, none. */
export function moveDocuments(actor: Actor, move: DocumentsMove): Promise<{ count: number }> {
  return asActor(actor, async (tx) => {
    for (const id of [move.from_project_id, move.project_id]) if (id) await projectOrThrow(tx, id)
    const ids = await moveDocumentRows(tx, move.from_project_id, move.project_id)
    await tell(tx, actor, ids, move.project_id, 'updated')
    for (const id of [move.from_project_id, move.project_id])
      if (id && ids.length > 0) await publish(tx, actor.userId, { event: 'project', data: { id, change: 'updated' } })
    return { count: ids.length }
  }).catch((error: unknown) => {
    // The other project went between the look and the move.
    if (brokenConstraint(error) === 'documents_project_of_owner') throw notFound('Project')
    throw error
  })
}

/** Deletes all documents of a project, however many, with what was made from them and their files. */
export async function deleteDocumentsOf(actor: Actor, projectId: string): Promise<{ count: number }> {
  const gone = await asActor(actor, async (tx) => {
    await projectOrThrow(tx, projectId)
    const rows = await deleteDocumentRowsOf(tx, projectId)
    const ids = rows.map((row) => row.id)
    await tell(tx, actor, ids, projectId, 'deleted')
    return rows
  })
  for (let at = 0; at < gone.length; at += FILES_AT_ONCE)
    await Promise.all(gone.slice(at, at + FILES_AT_ONCE).map(removeFile))
  return { count: gone.length }
}

async function tell(tx: Tx, actor: Actor, ids: string[], project_id: string | null, change: 'updated' | 'deleted') {
  for (const id of ids.slice(0, NAMED_IN_EVENTS))
    await publish(tx, actor.userId, { event: 'document', data: { id, project_id, change } })
}
