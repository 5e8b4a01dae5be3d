import { asActorWithDeleted, asSystem, type Tx } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import { readersOf } from '#server/events/event-queries.ts'
import { publish } from '#server/events/events.ts'
import { log } from '#server/lib/log.ts'
import { noteRemovedFiles, removeNotedFiles } from '#server/storage/removed-files.ts'
import type { Actor } from '#server/db/actor.ts'
import { documentOrThrow } from '#server/documents/index.ts'
import { heroImageKeys, checkProject } from '#server/projects/index.ts'
import { lockDeletedProject } from './queries.ts'
import {
  beginPass,
  type GoneDocument,
  lockAllDeletedProjects,
  lockOldProjects,
  removeDocument,
  removeOldDocuments,
  removeProject,
  removeSomeDocuments,
  removeSomeOf,
} from './removal-queries.ts'

const LOOK_MS = 60 * 60_000
const AT_ONCE = 100

let timer: NodeJS.Timeout | undefined
let sweeping: Promise<void> = Promise.resolve()

/**
 * Starts the timer that permanently deletes items whose thirty days in the trash are over, in one pass a day. An item is
 * deleted only if two passes find that its time is over, so that a clock that is wrong for some hours does not delete it early.
 */
export function startTrash(): void {
  timer = setInterval(sweep, LOOK_MS)
  sweep()
}

/** Stops the daily deletion of old items of the trash in this process, and waits for a pass in progress. */
export async function stopTrash(): Promise<void> {
  clearInterval(timer)
  await sweeping
}

/** Permanently deletes a document in the trash, with its file. */
export async function removeDocumentForGood(actor: Actor, id: string): Promise<void> {
  await asActorWithDeleted(actor, async (tx) => {
    await documentOrThrow(tx, id, 'edit')
    const [removed] = await removeDocument(tx, id)
    if (!removed) throw notFound('Document')
    await noteDocuments(tx, [removed])
    const { project_id } = removed
    await publish(tx, readersOf(removed), { event: 'document', data: { id, project_id, change: 'deleted' } })
  })
  removeNotedFiles()
}

/** Permanently deletes a project in the trash, with the documents that were deleted with it. */
export async function removeProjectForGood(actor: Actor, id: string): Promise<void> {
  const find = async (tx: Tx) => {
    await checkProject(tx, id, 'manage')
    const found = await lockDeletedProject(tx, id)
    if (!found) throw notFound('Project')
    return found
  }
  await removeInParts(actor, async (tx) => removeSomeOf(tx, await find(tx), AT_ONCE))
  await asActorWithDeleted(actor, async (tx) => removeWithMembers(tx, await find(tx), actor.userId))
  removeNotedFiles()
}

/**
 * Permanently deletes all items in the caller's trash that the caller may delete. With `before`, only items that were deleted
 * at this time or earlier.
 */
export async function emptyTrash(actor: Actor, before?: string): Promise<void> {
  await removeInParts(actor, (tx) => removeSomeDocuments(tx, AT_ONCE, before))
  await asActorWithDeleted(actor, async (tx) => {
    for (const project of await lockAllDeletedProjects(tx, before)) await removeWithMembers(tx, project, actor.userId)
  })
  removeNotedFiles()
}

/**
 * Calls `remove` in one transaction after another until it returns no document. One transaction would be too long, because the
 * chunks and sentences of all documents of a project can exceed the time limit of a statement.
 */
async function removeInParts(actor: Actor, remove: (tx: Tx) => Promise<GoneDocument[]>): Promise<void> {
  for (;;) {
    const removed = await asActorWithDeleted(actor, async (tx) => {
      const documents = await remove(tx)
      await noteDocuments(tx, documents)
      return documents.length
    })
    if (removed === 0) return
  }
}

/**
 * Permanently deletes a project and notifies its members. The event is published first, because the project has no members
 * afterwards.
 */
async function removeWithMembers(
  tx: Tx,
  project: Parameters<typeof removeWhole>[1],
  successorId: string,
): Promise<void> {
  await publish(tx, { membersOf: project.id }, { event: 'project', data: { id: project.id, change: 'deleted' } })
  await removeWhole(tx, project, successorId)
}

async function removeWhole(
  tx: Tx,
  project: { id: string; hero_image: string | null; deleted_at: string },
  successorId: string,
) {
  await noteDocuments(tx, await removeProject(tx, project, successorId))
  await noteRemovedFiles(tx, heroImageKeys(project.id, project.hero_image))
}

/** Lists the files of deleted documents for removal in the same transaction, so that they are removed even after a crash. */
const noteDocuments = (tx: Tx, removed: readonly GoneDocument[]) =>
  noteRemovedFiles(
    tx,
    removed.flatMap(({ source_url }) => source_url ?? []),
  )

function sweep(): void {
  sweeping = removeOld().catch((error: unknown) =>
    log.warn({ err: error }, 'items deleted thirty days ago could not be removed yet'),
  )
}

async function removeOld(): Promise<void> {
  const previousPass = await asSystem(beginPass)
  if (previousPass === null) return
  let removed = 0
  for (;;) {
    const count = await asSystem(async (tx) => {
      const removed = await removeOldDocuments(tx, previousPass, AT_ONCE)
      await noteDocuments(tx, removed)
      if (removed.length > 0) return removed.length
      const projects = await lockOldProjects(tx, previousPass, AT_ONCE)
      for (const project of projects) await removeWhole(tx, project, project.owner_id)
      return projects.length
    })
    if (count === 0) break
    removed += count
  }
  if (removed === 0) return
  log.info({ removed }, 'removed items deleted thirty days ago')
  removeNotedFiles()
}
