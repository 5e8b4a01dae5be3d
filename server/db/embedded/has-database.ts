import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns two paths under `folder`: `cluster`, the folder of the embedded database, and `unfinished`, a file that exists only
 * while the database is being created.
 */
export const placesIn = (folder: string) => ({
  cluster: join(folder, 'cluster'),
  unfinished: join(folder, 'cluster.unfinished'),
})

/**
 * Returns whether `folder` has a complete embedded database. Returns false if a process was killed while it created the
 * database.
 */
export function hasDatabase(folder: string): boolean {
  const { cluster, unfinished } = placesIn(folder)
  return existsSync(join(cluster, 'PG_VERSION')) && !existsSync(unfinished)
}
