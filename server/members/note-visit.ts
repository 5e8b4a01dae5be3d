import type { Actor } from '#server/db/actor.ts'
import { asSystem } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import { setLastSeen } from './queries.ts'

const HOUR_MS = 60 * 60_000
const MOST_NOTED = 10_000
/** The last visits that this process has stored: `performance.now()` of the write, by project and account. */
const noted = new Map<string, number>()

/**
 * Records that a member has opened a project. This process writes about once an hour at most for a member and project, so that
 * most reads do not write. An error is only logged.
 */
export async function noteVisit({ userId }: Actor, projectId: string): Promise<void> {
  const key = `${projectId} ${userId}`
  const now = performance.now()
  if (now - (noted.get(key) ?? -HOUR_MS) < HOUR_MS) return
  if (noted.size >= MOST_NOTED) noted.clear()
  noted.set(key, now)
  // A read-only database must not refuse reads.
  await asSystem((tx) => setLastSeen(tx, projectId, userId)).catch((error: unknown) => {
    noted.delete(key)
    log.warn({ err: error }, 'the visit of a member could not be recorded')
  })
}
