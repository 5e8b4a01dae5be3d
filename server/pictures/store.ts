import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from '#server/lib/env.ts'
import { expectFiles, giveUpFiles } from '#server/storage/removed-files.ts'
import { storage } from '#server/storage/storage.ts'
import { isStoredPicture, pictureAt } from '#shared/contract/pictures.ts'
import type { PictureVariant } from './reencode.ts'

/** Folders whose files have a public address. */
export type PublicBucket = 'project_hero' | 'avatars'

/**
 * Stores the variants of one image and returns the address of the largest (the last one). The address is public, so
 * `name` (without extension) must contain enough randomness. The transaction that writes the address must call
 * `keepStoredFiles`; if it fails, call `giveUpFiles`.
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
 * The storage keys of an image, in all widths. Returns none for an address outside `bucket` or without the prefix `name`.
 * The prefix names the owner, so a caller who submits the address of another user's image cannot have it deleted.
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

/** The storage key of an image's address. */
export const keyOf = (url: string) => url.slice('/files/'.length)
