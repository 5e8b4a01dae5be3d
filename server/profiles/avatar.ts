import { randomUUID } from 'node:crypto'
import { asActor } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { giveUpFiles, keepStoredFiles, noteRemovedFiles, removeNow } from '#server/storage/removed-files.ts'
import type { Actor } from '#server/db/actor.ts'
import { pictureKeys, receivePicture, reencodeImage, storePicture } from '#server/pictures/index.ts'
import { AVATAR_MAX_BYTES, AVATAR_WIDTHS } from '#shared/contract/pictures.ts'
import { AVATAR_NOT_AN_IMAGE, AVATAR_TOO_LARGE, type Profile } from '#shared/contract/profiles.ts'
import { swapAvatar } from './queries.ts'
import { getProfile } from './service.ts'

/** Storage folder of avatars. */
export const AVATARS = 'avatars'
/** Prefix of the file names of avatars. A random UUID follows it. */
export const avatarName = 'profiles/'

/** Stores the caller's new avatar from the request and removes the previous one. */
export async function receiveAvatar(actor: Actor, id: string, request: Request): Promise<Profile> {
  if (id !== actor.userId) throw notFound('Profile')
  const bytes = await receivePicture(request, { maxBytes: AVATAR_MAX_BYTES, tooLarge: AVATAR_TOO_LARGE }).catch(inWords)
  const variants = await reencodeImage(bytes, { widths: AVATAR_WIDTHS, square: true }).catch(inWords)
  return setAvatar(actor, id, await storePicture(AVATARS, `${avatarName}${randomUUID()}`, variants))
}

/**
 * Sets the address of the caller's avatar, or removes it if `url` is null. Removes the files of the previous avatar, and
 * returns the profile. Throws 'not_found' if `id` is another user.
 */
export async function setAvatar(actor: Actor, id: string, url: string | null): Promise<Profile> {
  if (id !== actor.userId) throw notFound('Profile')
  const stored = avatarKeys(url)
  const replaced = await asActor(actor, async (tx) => {
    const before = await swapAvatar(tx, id, url)
    if (before === undefined) throw notFound('Profile')
    if (url) await keepStoredFiles(tx, stored)
    const removed = before === url ? [] : avatarKeys(before)
    await noteRemovedFiles(tx, removed)
    return removed
  }).catch(async (error: unknown) => {
    await giveUpFiles(stored)
    throw error
  })
  await removeNow(replaced)
  return getProfile(actor, id)
}

const avatarKeys = (url: string | null) => pictureKeys(AVATARS, avatarName, url, AVATAR_WIDTHS)

/** Rethrows an error. Replaces the general message for an invalid image by the message for avatars. */
function inWords(error: unknown): never {
  if (error instanceof AppError && error.fields?.['file'] === 'Invalid file type')
    throw new AppError('wrong_type', AVATAR_NOT_AN_IMAGE, { cause: error, fields: { file: AVATAR_NOT_AN_IMAGE } })
  throw error
}
