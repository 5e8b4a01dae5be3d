import { type Channel, onNotice } from './listen.ts'

/**
 * Listens to notifications of the database for a reader that reads, waits and reads again. `isRelevant` selects the
 * notifications that end a wait; a new connection to the database always ends it. Call `stop` at the end.
 */
export function waitForNotice(isRelevant: (channel: Channel, text: string) => boolean, signal: AbortSignal) {
  let isNotified = false
  let wake: () => void = () => undefined
  const stopListening = onNotice((channel, text) => {
    if (channel !== 'reconnected' && !isRelevant(channel, text)) return
    isNotified = true
    wake()
  })
  const end = () => wake()
  signal.addEventListener('abort', end)
  return {
    /** Forgets earlier notifications. Call it before each read: a notification during the read ends the next wait. */
    beginRead() {
      isNotified = false
    },
    /** Resolves at a notification since the last `beginRead`, at the abort, and at the latest after `ms`. */
    async wait(ms: number): Promise<void> {
      if (isNotified || signal.aborted) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      wake = () => undefined
    },
    stop() {
      stopListening()
      signal.removeEventListener('abort', end)
    },
  }
}
