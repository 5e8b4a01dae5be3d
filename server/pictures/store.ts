import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from '#server/lib/env.ts'
import { expectFiles, giveUpFiles } from '#server/storage/removed-files.ts'
import { storage } from '#server/storage/storage.ts'
import { isStoredPicture, pictureAt } from '#shared/contract/pictures.ts'
import type { PictureVariant } from './reencode.ts'

/** A storage folder whose files have public addresses. */
export type PublicBucket = 'project_hero' | 'avatars'

/**
 * Stores the variants of one image and returns the address of the last variant, which is the largest. The address is public, so
 * `name` (without extension) must contain random characters. The transaction that stores the address must call
 * `keepStoredFiles`. If it fails, call `giveUpFiles`.
 */
export async function storePicture(
  bucket: PublicBucket,
  name: string,
  variants: readonly PictureVariant[],
): Promise<string> {
  const url = `/files/${bucket}/${name}.webp`
  const folder = join(env.DATA_DIR, 'uploads')
  await mkdir(folder, { recursive: true })
  const files = variants.map(({ width, bytes }, at) => ({
    key: keyOf(at === variants.length - 1 ? url : pictureAt(url, width)),
    bytes,
  }))
  const keys = files.map(({ key }) => key)
  await expectFiles(keys)
  try {
    for (const { key, bytes } of files) {
      const path = join(folder, randomUUID())
      try {
        await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
        await storage().putFile(key, path, 'image/webp')
      } finally {
        await rm(path, { force: true })
      }
    }
  } catch (error) {
    await giveUpFiles(keys)
    throw error
  }
  return url
}

/**
 * Returns the storage keys of an image in all widths. Returns none if the address is not in `bucket` or its file name does not
 * start with `name`. The prefix `name` identifies the owner, so a user cannot cause the deletion of another owner's image.
 */
export function pictureKeys(
  bucket: PublicBucket,
  name: string,
  url: string | null,
  widths: readonly number[],
): string[] {
  if (!url?.startsWith(`/files/${bucket}/${name}`) || !isStoredPicture(url) || url.includes('..')) return []
  return [...new Set([url, ...widths.map((width) => pictureAt(url, width))])].map(keyOf)
}

/** Returns the storage key of an image with the address `url`. */
export const keyOf = (url: string) => url.slice('/files/'.length)
