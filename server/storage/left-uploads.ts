import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from '#server/lib/env.ts'

/** Longer than any upload: half of it is the time limit of a request. */
const HOUR_MS = 60 * 60_000

/**
 * Deletes temporary files of uploads whose process ended. `alone`: no other server uses the folder; otherwise files
 * younger than an hour may belong to uploads under way and stay.
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
