import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from '#server/lib/env.ts'
import { expectFiles, giveUpFiles } from '#server/lib/removed-files.ts'
import { storage } from '#server/lib/storage.ts'
import { isKeptPicture, pictureAt } from '#shared/pictures.ts'
import type { PictureVariant } from './reencode.ts'

/** The buckets whose files have a public address. */
export type PublicBucket = 'project_hero' | 'avatars'

/**
 * Keeps the variants of one picture and returns the address of the largest (the last). Anybody who has that address can
 * read it, so `name` (without the extension) must hold enough chance that nobody can guess it. The transaction that writes
 * the address keeps the files with `keepStoredFiles`; when it fails, `giveUpFiles` removes them.
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
 * Where the files of a picture are stored, in all widths. Only an address in `bucket` that begins with `name` has any: a
 * caller names what its own pictures begin with, so that nobody has another's picture removed by giving its address as
 * their own.
 */
export function pictureKeys(
  bucket: PublicBucket,
  name: string,
  url: string | null,
  widths: readonly number[],
): string[] {
  if (!url?.startsWith(`/files/${bucket}/${name}`) || !isKeptPicture(url) || url.includes('..')) return []
  return [...new Set([url, ...widths.map((width) => pictureAt(url, width))])].map(keyOf)
}

/** The storage key of a picture's address. */
export const keyOf = (url: string) => url.slice('/files/'.length)
