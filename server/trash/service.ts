import { asActor, asActorWithDeleted, brokenConstraint, type Tx } from '#server/db/client.ts'
import { documentOrThrow, presentRow, publishChanges } from '#server/documents/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { publish } from '#server/events/events.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import type { Actor } from '#server/db/actor.ts'
import { readersOf } from '#server/events/event-queries.ts'
import { authorize, setMissingDefaults } from '#server/members/index.ts'
import { checkProject, projectOrThrow } from '#server/projects/index.ts'
import { NO_RESTORABLE_DOCUMENTS, type BulkCount } from '#shared/contract/bulk-documents.ts'
import { type DocumentRow } from '#shared/contract/documents.ts'
import { PROJECT_NAME_TAKEN, type Project } from '#shared/contract/projects.ts'
import { restoredName, type Trash } from '#shared/contract/trash.ts'
import {
  findDeletedDocument,
  isDeleted,
  lastDeletionOf,
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

/** Returns the documents and projects that were deleted in the last thirty days and that the caller may restore. */
export const listTrash = (actor: Actor, limit: number): Promise<Trash> =>
  asActorWithDeleted(actor, async (tx) => {
    const { rows, count } = await listDeletedDocuments(tx, limit)
    return { projects: await listDeletedProjects(tx), documents: rows, document_count: count }
  })

/**
 * Restores a document and returns it. If its project is deleted, also restores the project, without its other documents. Does
 * not change a document that is not deleted, so that a repeated undo succeeds.
 */
export function restoreDocument(actor: Actor, id: string): Promise<DocumentRow> {
  return asActorWithDeleted(actor, (tx) => bringDocumentBack(tx, actor, id))
}

/**
 * Restores a document in the transaction `tx`, which must come from `asActorWithDeleted`. If its project is deleted, also
 * restores the project, without its other documents. Returns a document that is not deleted unchanged.
 */
export async function bringDocumentBack(tx: Tx, actor: Actor, id: string): Promise<DocumentRow> {
  const known = await documentOrThrow(tx, id, 'edit')
  if (!known.deleted_at) return presentRow(known)
  const found = await findDeletedDocument(tx, id)
  if (!found) throw notFound('Document')
  // Locks the project before the document, in the same order as `restoreProject`.
  if (found.project_id) await bringProjectBack(tx, actor, found.project_id)
  // Only an owner restores a deleted project.
  if (found.project_id && (await isDeleted(tx, found.project_id))) throw notFound('Project')
  const row = await showDocument(tx, id)
  if (!row) throw notFound('Document')
  await publish(tx, readersOf(row), {
    event: 'document',
    data: { id, project_id: row.project_id, change: 'created' },
  })
  return presentRow(row)
}

/**
 * Restores several documents in one transaction. Also restores their deleted projects, without the projects' other documents. A
 * document that is not deleted counts as restored. Skips ids that do not exist, that the caller may not read or that were
 * deleted more than thirty days ago, and returns them as `missing`. Throws 'not_found' if it would skip all or a project cannot
 * be restored, and 'role' if the caller may not edit a document.
 */
export function restoreDocuments(actor: Actor, ids: readonly string[]): Promise<BulkCount> {
  return asActorWithDeleted(actor, async (tx) => {
    const found = await listRestorable(tx, ids)
    if (found.length === 0) throw new AppError('not_found', NO_RESTORABLE_DOCUMENTS)
    for (const row of found) authorize(row, 'edit', 'Document')
    // Projects before documents, as in restoreProject, and in the order of their ids: prevents deadlocks.
    const projects = new Set(found.flatMap(({ project_id }) => project_id ?? []))
    for (const id of [...projects].toSorted()) {
      await bringProjectBack(tx, actor, id)
      if (await isDeleted(tx, id)) throw notFound('Project')
    }
    const restored = await showDocumentsById(
      tx,
      found.map(({ id }) => id),
    )
    await publishChanges(tx, actor, restored, 'created')
    const known = new Set(found.map(({ id }) => id))
    return { count: known.size, missing: [...new Set(ids)].filter((id) => !known.has(id)) }
  })
}

/**
 * Restores a project with the documents that were deleted with it, and returns the project. If the name of the project is
 * already used, the project gets another name. Does not change a project that is not deleted.
 */
export async function restoreProject(actor: Actor, id: string): Promise<Project> {
  const since = await asActorWithDeleted(actor, async (tx) => {
    await checkProject(tx, id, 'manage')
    const restored = await bringProjectBack(tx, actor, id)
    if (!restored && (await isDeleted(tx, id))) throw notFound('Project')
    return restored
  })
  if (since) await showInParts(actor, id, since, true)
  return asActor(actor, (tx) => projectOrThrow(tx, id, 'read'))
}

/**
 * Restores the documents of a project that were deleted at the time `since` or later. Without `since`, restores those that were
 * deleted last: the latest, and all that were deleted within an hour before it.
 */
export async function restoreDocumentsOf(
  actor: Actor,
  projectId: string,
  since: string | undefined,
): Promise<{ count: number }> {
  const from = await asActorWithDeleted(actor, async (tx) => {
    if (await isDeleted(tx, projectId)) throw notFound('Project')
    await checkProject(tx, projectId, 'edit')
    return since ?? lastDeletionOf(tx, projectId)
  })
  return { count: from ? await showInParts(actor, projectId, from, false) : 0 }
}

/** Maximum number of documents that one transaction restores, because the database cancels a statement after a minute. */
const AT_ONCE = 1000

/**
 * Restores the documents of a project that were deleted since a time (see `showDocumentsOf`), in transactions of AT_ONCE
 * documents. Returns their number.
 */
async function showInParts(actor: Actor, projectId: string, since: string, isWithProject: boolean): Promise<number> {
  for (let count = 0; ;) {
    const shown = await asActorWithDeleted(actor, async (tx) => {
      const documents = await showDocumentsOf(tx, projectId, since, isWithProject, AT_ONCE)
      await publishChanges(tx, actor, documents, 'created')
      return documents.length
    })
    count += shown
    if (shown < AT_ONCE) return count
  }
}

/**
 * Restores a deleted project. Returns the time since which documents were deleted with it; undefined if it cannot be restored.
 */
async function bringProjectBack(tx: Tx, actor: Actor, id: string): Promise<string | undefined> {
  const found = await lockDeletedProject(tx, id)
  if (!found) return undefined
  // One of several owners does not see the other projects of the owner with whose name the project is stored.
  const names = await withOwnerRole(tx, () => listNames(tx, found.owner_id))
  await showProject(tx, id, restoredName(found.name, names)).catch((error: unknown) => {
    // Another transaction created a project with this name at the same time.
    if (brokenConstraint(error) === 'projects_owner_name') throw new AppError('conflict', PROJECT_NAME_TAKEN)
    throw error
  })
  await setMissingDefaults(tx, id)
  await publish(tx, { projectId: id }, { event: 'project', data: { id, change: 'created' } })
  return found.documents_since
}
