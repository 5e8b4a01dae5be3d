import { log } from '#server/lib/log.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { findDue, notifyOfMatches } from './new-matches.ts'

const LOOK_MS = 5_000
/** Time in ms after which a saved search that failed is tried again. */
const PAUSE_MS = 15 * 60_000

let timer: NodeJS.Timeout | undefined
let stopping = new AbortController()
let looking: Promise<void> | undefined
/** The ids of saved searches that failed, with the time of the next try in milliseconds (Date.now()). */
const failed = new Map<string, number>()

/** Starts the daily e-mails about new papers that match saved searches. Does nothing if the server sends no e-mail. */
export function registerJobs(): void {
  if (!mailEnabled()) return
  stopping = new AbortController()
  timer = setInterval(() => {
    looking ??= notifyAll(stopping.signal)
      .catch((error: unknown) => log.error({ err: error }, 'the saved searches that are due could not be found'))
      .finally(() => (looking = undefined))
  }, LOOK_MS)
}

/** Stops the daily e-mails about saved searches in this process, and waits until the search that is running has ended. */
export async function stopSavedSearches(): Promise<void> {
  clearInterval(timer)
  stopping.abort()
  await looking
}

async function notifyAll(signal: AbortSignal): Promise<void> {
  for (const [id, until] of failed) if (until < Date.now()) failed.delete(id)
  while (!signal.aborted) {
    const saved = await findDue([...failed.keys()])
    if (!saved) return
    await notifyOfMatches(saved, signal).catch((error: unknown) => {
      failed.set(saved.id, Date.now() + PAUSE_MS)
      if (!signal.aborted) log.warn({ err: error, search: saved.id }, 'a saved search failed')
    })
  }
}
