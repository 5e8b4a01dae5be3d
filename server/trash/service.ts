import { asActorWithDeleted, brokenConstraint, type Tx } from '#server/db/client.ts'
import { documentOrThrow, presentRow } from '#server/documents/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { publish } from '#server/lib/events.ts'
import type { Actor } from '#server/lib/session.ts'
import { lockDefault, projectOrThrow } from '#server/projects/index.ts'
import type { DocumentRow } from '#shared/documents.ts'
import { PROJECT_NAME_TAKEN, type Project } from '#shared/projects.ts'
import { restoredName, type Trash } from '#shared/trash.ts'
import {
  findDeletedDocument,
  isDeleted,
  lastDeletedOf,
  listDeletedDocuments,
  listDeletedProjects,
  listNames,
  lockDeletedProject,
  showDocument,
  showDocumentsOf,
  showProject,
} from './queries.ts'

/** Pages that show one document hear of it by name up to this many; lists hear of any number. */
const NAMED_IN_EVENTS = 100

/** What the caller deleted in the last thirty days. */
export const listTrash = (actor: Actor, limit: number): Promise<Trash> =>
  asActorWithDeleted(actor, async (tx) => {
    const { rows, count } = await listDeletedDocuments(tx, limit)
    return { projects: await listDeletedProjects(tx), documents: rows, document_count: count }
  })

/**
 * Brings a document back to where it was; a project that was deleted since comes back for it, with no other document. One
 * that is back already is answered as it is: whoever undoes twice has what they want.
 */
export function restoreDocument(actor: Actor, id: string): Promise<DocumentRow> {
  return asActorWithDeleted(actor, async (tx) => {
    const known = await documentOrThrow(tx, id)
    if (!known.deleted_at) return presentRow(known)
    const found = await findDeletedDocument(tx, id)
    if (!found) throw notFound('Document')
    // Before the document is locked, in the order in which a whole project comes back.
    if (found.project_id) await bringProjectBack(tx, actor, found.project_id)
    const row = await showDocument(tx, id)
    if (!row) throw notFound('Document')
    await publish(tx, actor.userId, { event: 'document', data: { id, project_id: row.project_id, change: 'created' } })
    return presentRow(row)
  })
}

/**
 * Brings a project back with the documents that were deleted with it; when its name is taken by now, under another one.
 * One that is back already is answered as it is.
 */
export function restoreProject(actor: Actor, id: string): Promise<Project> {
  return asActorWithDeleted(actor, async (tx) => {
    const known = await projectOrThrow(tx, id)
    const deletedAt = await bringProjectBack(tx, actor, id)
    if (!deletedAt && (await isDeleted(tx, id))) throw notFound('Project')
    if (!deletedAt) return known
    const documents = await showDocumentsOf(tx, id, deletedAt)
    await tell(tx, actor, documents)
    return { ...(await projectOrThrow(tx, id)), document_count: documents.length }
  }).catch((error: unknown) => {
    // Another project took the name at this very moment.
    if (brokenConstraint(error) === 'projects_owner_name') throw new AppError('conflict', PROJECT_NAME_TAKEN)
    throw error
  })
}

/** Brings the documents of a project back that were deleted together, that is within an hour before the last of them. */
export function restoreDocumentsOf(actor: Actor, projectId: string): Promise<{ count: number }> {
  return asActorWithDeleted(actor, async (tx) => {
    if (await isDeleted(tx, projectId)) throw notFound('Project')
    await projectOrThrow(tx, projectId)
    const at = await lastDeletedOf(tx, projectId)
    const documents = at ? await showDocumentsOf(tx, projectId, at) : []
    await tell(tx, actor, documents)
    return { count: documents.length }
  })
}

async function tell(tx: Tx, actor: Actor, documents: readonly { id: string; project_id: string | null }[]) {
  for (const { id, project_id } of documents.slice(0, NAMED_IN_EVENTS))
    await publish(tx, actor.userId, { event: 'document', data: { id, project_id, change: 'created' } })
}

/** Answers since when it was deleted; undefined when it is not among what is deleted. */
async function bringProjectBack(tx: Tx, actor: Actor, id: string): Promise<string | undefined> {
  await lockDefault(tx, actor.userId)
  const found = await lockDeletedProject(tx, id)
  if (!found) return undefined
  await showProject(tx, id, actor.userId, restoredName(found.name, await listNames(tx, actor.userId)))
  await publish(tx, actor.userId, { event: 'project', data: { id, change: 'created' } })
  return found.deleted_at
}
