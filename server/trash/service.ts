import { asActorWithDeleted, brokenConstraint, type Tx } from '#server/db/client.ts'
import { documentOrThrow, presentRow, publishChanges } from '#server/documents/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { publish } from '#server/events/events.ts'
import type { Actor } from '#server/db/actor.ts'
import { lockDefault, projectOrThrow } from '#server/projects/index.ts'
import { NO_RESTORABLE_DOCUMENTS, type BulkCount } from '#shared/contract/document-edits.ts'
import { type DocumentRow } from '#shared/contract/documents.ts'
import { PROJECT_NAME_TAKEN, type Project } from '#shared/contract/projects.ts'
import { restoredName, type Trash } from '#shared/contract/trash.ts'
import {
  findDeletedDocument,
  isDeleted,
  lastDeletedOf,
  listDeletedDocuments,
  listDeletedProjects,
  listNames,
  listRestorable,
  lockDeletedProject,
  showDocument,
  showDocumentsById,
  showDocumentsOf,
  showProject,
} from './queries.ts'

/** Lists the items that the caller has deleted in the last thirty days. */
export const listTrash = (actor: Actor, limit: number): Promise<Trash> =>
  asActorWithDeleted(actor, async (tx) => {
    const { rows, count } = await listDeletedDocuments(tx, limit)
    return { projects: await listDeletedProjects(tx), documents: rows, document_count: count }
  })

/**
 * Restores a document, and its project if that was deleted, without the project's other documents. A document that is not
 * deleted is returned unchanged, so that a second undo succeeds.
 */
export function restoreDocument(actor: Actor, id: string): Promise<DocumentRow> {
  return asActorWithDeleted(actor, async (tx) => {
    const known = await documentOrThrow(tx, id)
    if (!known.deleted_at) return presentRow(known)
    const found = await findDeletedDocument(tx, id)
    if (!found) throw notFound('Document')
    // Locks the project before the document, in the same order as `restoreProject`.
    if (found.project_id) await bringProjectBack(tx, actor, found.project_id)
    const row = await showDocument(tx, id)
    if (!row) throw notFound('Document')
    await publish(tx, actor.userId, { event: 'document', data: { id, project_id: row.project_id, change: 'created' } })
    return presentRow(row)
  })
}

/**
 * Restores several documents in one transaction, and their deleted projects, without the projects' other documents. A
 * document that is not deleted counts as restored. Ids that do not exist, belong to another user or have been deleted for
 * more than thirty days are skipped and returned as `missing`. Throws AppError 'not_found' when no id is left.
 */
export function restoreDocuments(actor: Actor, ids: readonly string[]): Promise<BulkCount> {
  return asActorWithDeleted(actor, async (tx) => {
    const found = await listRestorable(tx, ids)
    if (found.length === 0) throw new AppError('not_found', NO_RESTORABLE_DOCUMENTS)
    // Projects before documents, as in restoreProject, and in the order of their ids: prevents deadlocks.
    const projects = new Set(found.flatMap(({ project_id }) => project_id ?? []))
    for (const id of [...projects].toSorted()) await bringProjectBack(tx, actor, id)
    const restored = await showDocumentsById(
      tx,
      found.map(({ id }) => id),
    )
    await publishChanges(tx, actor.userId, restored, 'created')
    const known = new Set(found.map(({ id }) => id))
    return { count: known.size, missing: [...new Set(ids)].filter((id) => !known.has(id)) }
  })
}

/**
 * Restores a project with the documents that were deleted with it. If its name is in use, it gets another one. A project
 * that is not deleted is returned unchanged.
 */
export function restoreProject(actor: Actor, id: string): Promise<Project> {
  return asActorWithDeleted(actor, async (tx) => {
    const known = await projectOrThrow(tx, id)
    const deletedAt = await bringProjectBack(tx, actor, id)
    if (!deletedAt && (await isDeleted(tx, id))) throw notFound('Project')
    if (!deletedAt) return known
    const documents = await showDocumentsOf(tx, id, deletedAt)
    await publishChanges(tx, actor.userId, documents, 'created')
    return { ...(await projectOrThrow(tx, id)), document_count: documents.length }
  }).catch((error: unknown) => {
    // Another transaction created a project with this name at the same time.
    if (brokenConstraint(error) === 'projects_owner_name') throw new AppError('conflict', PROJECT_NAME_TAKEN)
    throw error
  })
}

/** Restores the documents of a project's last deletion: those deleted within an hour before the latest one. */
export function restoreDocumentsOf(actor: Actor, projectId: string): Promise<{ count: number }> {
  return asActorWithDeleted(actor, async (tx) => {
    if (await isDeleted(tx, projectId)) throw notFound('Project')
    await projectOrThrow(tx, projectId)
    const at = await lastDeletedOf(tx, projectId)
    const documents = at ? await showDocumentsOf(tx, projectId, at) : []
    await publishChanges(tx, actor.userId, documents, 'created')
    return { count: documents.length }
  })
}

/** Restores a deleted project. Returns its deletion time, or undefined when it cannot be restored. */
async function bringProjectBack(tx: Tx, actor: Actor, id: string): Promise<string | undefined> {
  await lockDefault(tx, actor.userId)
  const found = await lockDeletedProject(tx, id)
  if (!found) return undefined
  await showProject(tx, id, actor.userId, restoredName(found.name, await listNames(tx, actor.userId)))
  await publish(tx, actor.userId, { event: 'project', data: { id, change: 'created' } })
  return found.deleted_at
}
