import { asSystem } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import { storage } from '#server/storage/storage.ts'
import { checkQueries } from './queries.ts'

/** Returns the components that fail: any of 'database', 'queue' and 'storage'. */
export async function checkReady(): Promise<string[]> {
  const checks = {
    database: () => asSystem(checkQueries.database),
    queue: () => asSystem(checkQueries.queue),
    storage: () => storage().check(),
  }
  const failed = await Promise.all(
    Object.entries(checks).map(([name, check]) =>
      check().then(
        () => null,
        (error: unknown) => {
          log.warn({ err: error, check: name }, 'not ready')
          return name
        },
      ),
    ),
  )
  return failed.filter((name) => name !== null)
}
