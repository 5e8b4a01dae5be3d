import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { CHANNELS, onNotice } from './listen.ts'

/**
 * Repeats a check of access at each event of the caller, because an answer can take minutes. `lost` is called with the error
 * of each check that fails. Returns a function that ends the checks.
 */
export function watchAccess(
  actor: Actor,
  check: (tx: Tx) => Promise<unknown>,
  lost: (error: unknown) => void,
): () => void {
  let isChecking = false
  let isStale = false
  const checkAgain = async () => {
    isStale = true
    if (isChecking) return
    isChecking = true
    while (isStale) {
      isStale = false
      await asActor(actor, check).catch(lost)
    }
    isChecking = false
  }
  return onNotice((channel, text) => {
    if (channel === 'reconnected' || (channel === CHANNELS.event && text === actor.userId)) void checkAgain()
  })
}

/**
 * Passes a stream on. Breaks it with the error of the first check that fails, because a slow client can read a file for
 * minutes after its membership has ended.
 */
export function streamWithAccess(
  actor: Actor,
  check: (tx: Tx) => Promise<unknown>,
  source: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  const cancel = (reason: unknown) => reader.cancel(reason).catch(() => undefined)
  let stopWatching = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(stream) {
        stopWatching = watchAccess(actor, check, (error) => {
          stopWatching()
          stream.error(error)
          void cancel(error)
        })
      },
      async pull(stream) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          stopWatching()
          throw error
        })
        if (!done) return stream.enqueue(value)
        stopWatching()
        stream.close()
      },
      async cancel(reason) {
        stopWatching()
        await cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
