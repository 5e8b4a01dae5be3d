import { asActorWithDeleted, asSystem, type Tx } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import { publish } from '#server/events/events.ts'
import { log } from '#server/lib/log.ts'
import { noteRemovedFiles, removeNotedFiles } from '#server/storage/removed-files.ts'
import type { Actor } from '#server/db/actor.ts'
import { heroImageKeys } from '#server/projects/index.ts'
import {
  beginPass,
  type GoneDocument,
  lockAllDeletedProjects,
  lockDeletedProject,
  lockOldProjects,
  removeAllDocuments,
  removeDocument,
  removeOldDocuments,
  removeProject,
} from './queries.ts'

const LOOK_MS = 60 * 60_000
const AT_ONCE = 100

let timer: NodeJS.Timeout | undefined
let sweeping: Promise<void> = Promise.resolve()

/**
 * Permanently removes items whose thirty days are over, in one pass a day. Only an item that two passes find due is
 * removed, so that a clock that is ahead for some hours removes nothing early.
 */
export function startTrash(): void {
  timer = setInterval(sweep, LOOK_MS)
  sweep()
}

/** Stops the timer and waits for a running sweep. */
export async function stopTrash(): Promise<void> {
  clearInterval(timer)
  await sweeping
}

/** Permanently deletes a document in the trash, with its file. */
export async function removeDocumentForGood(actor: Actor, id: string): Promise<void> {
  await asActorWithDeleted(actor, async (tx) => {
    const gone = await removeDocument(tx, id)
    if (gone.length === 0) throw notFound('Document')
    await noteDocuments(tx, gone)
    await publish(tx, actor.userId, { event: 'document', data: { id, project_id: null, change: 'deleted' } })
  })
  removeNotedFiles()
}

/** Permanently deletes a project in the trash, with the documents that were deleted with it. */
export async function removeProjectForGood(actor: Actor, id: string): Promise<void> {
  await asActorWithDeleted(actor, async (tx) => {
    const found = await lockDeletedProject(tx, id)
    if (!found) throw notFound('Project')
    await removeWhole(tx, found)
    await publish(tx, actor.userId, { event: 'project', data: { id, change: 'deleted' } })
  })
  removeNotedFiles()
}

/** Permanently deletes everything in the caller's trash. */
export async function emptyTrash(actor: Actor): Promise<void> {
  await asActorWithDeleted(actor, async (tx) => {
    const projects = await lockAllDeletedProjects(tx, actor.userId)
    await noteDocuments(tx, await removeAllDocuments(tx, actor.userId))
    for (const project of projects) {
      await removeWhole(tx, project)
      await publish(tx, actor.userId, { event: 'project', data: { id: project.id, change: 'deleted' } })
    }
  })
  removeNotedFiles()
}

async function removeWhole(tx: Tx, project: { id: string; hero_image: string | null; deleted_at: string }) {
  await noteDocuments(tx, await removeProject(tx, project.id, project.deleted_at))
  await noteRemovedFiles(tx, heroImageKeys(project.id, project.hero_image))
}

/** Records the files in the same transaction, so that they are removed even after a crash. */
const noteDocuments = (tx: Tx, gone: readonly GoneDocument[]) =>
  noteRemovedFiles(
    tx,
    gone.flatMap(({ source_url }) => source_url ?? []),
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
      const gone = await removeOldDocuments(tx, previousPass, AT_ONCE)
      await noteDocuments(tx, gone)
      if (gone.length > 0) return gone.length
      const projects = await lockOldProjects(tx, previousPass, AT_ONCE)
      for (const project of projects) await removeWhole(tx, project)
      return projects.length
    })
    if (count === 0) break
    removed += count
  }
  if (removed === 0) return
  log.info({ removed }, 'removed items deleted thirty days ago')
  removeNotedFiles()
}
