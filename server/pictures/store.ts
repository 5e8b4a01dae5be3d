import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import { storage } from '#server/lib/storage.ts'
import { isKeptPicture, pictureAt } from '#shared/pictures.ts'
import type { PictureVariant } from './reencode.ts'

/** The buckets whose files have a public address. */
export type PublicBucket = 'project_hero' | 'avatars'

/**
 * Keeps the variants of one picture and returns the address of the largest (the last). Anybody who has that address can
 * read it, so `name` (without the extension) must hold enough chance that nobody can guess it.
 */
export async function storePicture(
  bucket: PublicBucket,
  name: string,
  variants: readonly PictureVariant[],
): Promise<string> {
  const url = `/files/${bucket}/${name}.webp`
  const folder = join(env.DATA_DIR, 'uploads')
  await mkdir(folder, { recursive: true })
  for (const [at, variant] of variants.entries()) {
    const path = join(folder, randomUUID())
    try {
      await writeFile(path, variant.bytes, { flag: 'wx', mode: 0o600 })
      const address = at === variants.length - 1 ? url : pictureAt(url, variant.width)
      await storage().putFile(keyOf(address), path, 'image/webp')
    } finally {
      await rm(path, { force: true })
    }
  }
  return url
}

/**
 * Removes a picture in all its widths. Only an address in `bucket` that begins with `name` is touched: a caller names
 * what its own pictures begin with, so that nobody has another's picture removed by giving its address as their own.
 * What cannot be removed is only space, and named in the log.
 */
export async function removePicture(
  bucket: PublicBucket,
  name: string,
  url: string | null,
  widths: readonly number[],
): Promise<void> {
  for (const key of pictureKeys(bucket, name, url, widths))
    await storage()
      .remove(key)
      .catch((error: unknown) => log.warn({ err: error, bucket }, 'a replaced picture left its file'))
}

/** Where the files of a picture are stored, in all widths; none for an address that does not begin with `name`. */
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
