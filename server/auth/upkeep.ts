import { asSystem } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import { deleteOldSessions } from './session-queries.ts'

const HOUR_MS = 60 * 60_000

let timer: NodeJS.Timeout | undefined
let running: Promise<void> = Promise.resolve()

/** Starts the hourly deletion of sessions that can no longer be used. */
export function startSessions(): void {
  const run = () => {
    running = asSystem(deleteOldSessions).catch((error: unknown) =>
      log.error({ err: error }, 'old sessions could not be deleted'),
    )
  }
  timer = setInterval(run, HOUR_MS)
  run()
}

/** Stops the hourly deletion of sessions. */
export async function stopSessions(): Promise<void> {
  clearInterval(timer)
  await running
}
