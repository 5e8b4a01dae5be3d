import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from '#server/lib/env.ts'

/** An hour in milliseconds. An upload takes at most half an hour, which is the time limit of a request. */
const HOUR_MS = 60 * 60_000

/**
 * Deletes temporary files of uploads whose process has ended. `alone` is true if no other server uses the folder; then all
 * files are deleted. Otherwise files younger than an hour stay, because they may belong to running uploads.
 */
export async function removeLeftUploads(alone: boolean): Promise<void> {
  const folder = join(env.DATA_DIR, 'uploads')
  if (alone) return rm(folder, { recursive: true, force: true })
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found && Date.now() - found.mtimeMs > HOUR_MS) await rm(path, { recursive: true, force: true })
  }
}
