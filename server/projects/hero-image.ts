import { randomBytes } from 'node:crypto'
import { asActor } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import { publish } from '#server/events/events.ts'
import { giveUpFiles, keepStoredFiles, noteRemovedFiles, removeNow } from '#server/storage/removed-files.ts'
import type { Actor } from '#server/db/actor.ts'
import { receivePicture, reencodeImage, storePicture } from '#server/pictures/index.ts'
import { PROJECT_IMAGE_MAX_BYTES, PROJECT_IMAGE_WIDTHS } from '#shared/contract/pictures.ts'
import { PROJECT_IMAGE_TOO_LARGE, type Project } from '#shared/contract/projects.ts'
import { HERO_BUCKET, heroImageKeys } from './hero-image-files.ts'
import { lockProjectRow, swapHeroImage } from './queries.ts'
import { getProject, projectOrThrow } from './service.ts'

/**
 * Stores a project's new hero image from the request, removes the previous one, and returns the project. Throws 'changed' if
 * the image has been changed after `seen`, the version of the project that the caller read; undefined omits this check.
 */
export async function receiveHeroImage(
  actor: Actor,
  id: string,
  request: Request,
  seen: number | undefined,
): Promise<Project> {
  await asActor(actor, (tx) => projectOrThrow(tx, id, 'manage'))
  const limit = { maxBytes: PROJECT_IMAGE_MAX_BYTES, tooLarge: PROJECT_IMAGE_TOO_LARGE.description }
  const variants = await reencodeImage(await receivePicture(request, limit), { widths: PROJECT_IMAGE_WIDTHS })
  // The address is public, so it needs a part that cannot be guessed.
  const name = `${id}-${Date.now()}-${randomBytes(16).toString('hex')}`
  return setHeroImage(actor, id, await storePicture(HERO_BUCKET, name, variants), seen)
}

/**
 * Sets the address of a project's hero image, or removes it if `url` is null. Removes the files of the previous image, and
 * returns the project. Throws 'changed' if the image has been changed after `seen`, the version of the project that the caller
 * read; undefined omits this check.
 */
export async function setHeroImage(
  actor: Actor,
  id: string,
  url: string | null,
  seen: number | undefined,
): Promise<Project> {
  const stored = heroImageKeys(id, url)
  const replaced = await asActor(actor, async (tx) => {
    const locked = await lockProjectRow(tx, id)
    const project = await projectOrThrow(tx, id, 'manage')
    if (locked) refuseStaleChange({ ...project, ...locked }, { hero_image: url }, seen, () => project)
    const before = await swapHeroImage(tx, project, url)
    if (before === undefined) throw notFound('Project')
    if (url) await keepStoredFiles(tx, stored)
    const removed = before === url ? [] : heroImageKeys(id, before)
    await noteRemovedFiles(tx, removed)
    await publish(tx, { projectId: id }, { event: 'project', data: { id, change: 'updated' } })
    return removed
  }).catch(async (error: unknown) => {
    await giveUpFiles(stored)
    throw error
  })
  await removeNow(replaced)
  return getProject(actor, id)
}
