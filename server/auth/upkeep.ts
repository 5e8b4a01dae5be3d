import { asSystem } from '#server/db/client.ts'
import { forgetOldRequests } from '#server/http/rate-limit.ts'
import { log } from '#server/lib/log.ts'
import { deleteOldSessions } from './session-queries.ts'

const HOUR_MS = 60 * 60_000

let timer: NodeJS.Timeout | undefined
let running: Promise<void> = Promise.resolve()

/** Starts the hourly deletion of sessions that can no longer be used, and of counts of ended windows of rate limits. */
export function startSessions(): void {
  const run = () => {
    running = asSystem(deleteOldSessions)
      .then(forgetOldRequests)
      .catch((error: unknown) => log.error({ err: error }, 'old sessions or counts could not be deleted'))
  }
  timer = setInterval(run, HOUR_MS)
  run()
}

/** Stops the hourly deletion. */
export async function stopSessions(): Promise<void> {
  clearInterval(timer)
  await running
}
