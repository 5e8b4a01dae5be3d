import { asSystem } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import { readDueFeeds, stopReading } from './refresh.ts'
import { ensureFollowedFeeds, hurryUnreadFeeds } from './refresh-queries.ts'

const LOOK_MS = 5_000
let timer: NodeJS.Timeout | undefined

/**
 * Starts reading feeds when they are due. The table `feeds` is the queue and has the due times, so that a restart loses nothing
 * and several processes share the work.
 */
export async function registerJobs(): Promise<void> {
  await asSystem(hurryUnreadFeeds)
  timer = setInterval(() => void look(), LOOK_MS)
}

/** Stops reading feeds. */
export async function stopFeeds(): Promise<void> {
  clearInterval(timer)
  await stopReading()
}

async function look(): Promise<void> {
  try {
    await asSystem(ensureFollowedFeeds)
    readDueFeeds()
  } catch (error) {
    log.error({ err: error }, 'the feeds that are due could not be found')
  }
}
