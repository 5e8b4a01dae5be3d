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
