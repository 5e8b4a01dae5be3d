import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from './env.ts'

/** No upload takes that long: a request must have arrived after half of it. */
const HOUR_MS = 60 * 60_000

/**
 * Removes what uploads left behind when their process ended in the middle. `alone`: no other server can use the folder;
 * else what is younger than an hour may still be arriving there.
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
