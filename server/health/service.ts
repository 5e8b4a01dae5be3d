import { statfs } from 'node:fs/promises'
import { asSystem, sqlState } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import { isDraining } from '#server/lib/stopping.ts'
import { storage } from '#server/storage/storage.ts'
import { inTime, NoAnswer } from './in-time.ts'
import { checkQueries, isReadOnly } from './queries.ts'

/** Minimum free space of the data folder in bytes. With less free space the disk counts as full. */
const MIN_FREE_BYTES = 32 * 1024 * 1024

/** The reason why a part of the server is not ready, for the response of /readyz. */
type Reason = 'read-only' | 'missing role' | 'full' | 'no answer' | 'stopping' | 'failed'

class NotReady extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super(`not ready: ${reason}`)
    this.reason = reason
  }
}

const CHECKS: Record<string, () => Promise<void>> = {
  database: async () => {
    // The role is checked first, because requests need it for reading too.
    await asSystem(checkQueries.database).catch((error: unknown) => {
      throw ['42501', '22023', '42704'].includes(sqlState(error) ?? '') ? new NotReady('missing role') : error
    })
    if (await asSystem(isReadOnly)) throw new NotReady('read-only')
  },
  queue: () => asSystem(checkQueries.queue),
  storage: () => storage().check(),
  disk: async () => {
    const { bavail, bsize } = await statfs(env.DATA_DIR)
    if (bavail * bsize < MIN_FREE_BYTES) throw new NotReady('full')
  },
  server: () => (isDraining() ? Promise.reject(new NotReady('stopping')) : Promise.resolve()),
}

/**
 * Returns the parts of the server that are not ready, with the reason: 'database', 'queue', 'storage', 'disk' (the data
 * folder), and 'server' while the server stops. Returns within three seconds.
 */
export async function findFailures(): Promise<Record<string, Reason>> {
  const failures: Record<string, Reason> = {}
  await Promise.all(
    Object.entries(CHECKS).map(([name, check]) =>
      inTime(check).catch((error: unknown) => {
        log.warn({ err: error, check: name }, 'not ready')
        failures[name] = error instanceof NotReady ? error.reason : error instanceof NoAnswer ? 'no answer' : 'failed'
      }),
    ),
  )
  return failures
}

/** Returns the names of the parts of the server that are not ready. */
export const checkReady = async (): Promise<string[]> => Object.keys(await findFailures())
