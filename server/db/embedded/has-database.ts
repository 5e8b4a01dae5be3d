import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the embedded database under `folder`, and the file that exists while the database is created. */
export const placesIn = (folder: string) => ({
  cluster: join(folder, 'cluster'),
  unfinished: join(folder, 'cluster.unfinished'),
})

/** Returns whether `folder` has a complete embedded database. A start that was killed during the creation leaves none. */
export function hasDatabase(folder: string): boolean {
  const { cluster, unfinished } = placesIn(folder)
  return existsSync(join(cluster, 'PG_VERSION')) && !existsSync(unfinished)
}
