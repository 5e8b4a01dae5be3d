import { type Channel, onNotice } from './listen.ts'

/**
 * Lets code that reads data from the database wait until the data may have changed. The code repeats three steps: call
 * `beginRead`, read the data, call `wait`. A notification ends the wait if `isRelevant` returns true for its channel and text.
 * A new connection to the database always ends the wait, because notifications may have been lost. Call `stop` at the end.
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
    /**
     * Ignores all notifications until now. Call it before each read: a notification during the read then ends the next wait.
     */
    beginRead() {
      isNotified = false
    },
    /** Resolves at the first notification since the last `beginRead`, when `signal` is aborted, or after `ms` milliseconds. */
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
