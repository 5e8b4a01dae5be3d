import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { documentOrThrow } from '#server/documents/index.ts'
import { CHANNELS, onNotice } from '#server/events/listen.ts'

/**
 * Checks at each event of the caller whether the caller may still ask about a document, because an answer can take
 * minutes. `lost` is called with the error 'not_found' or 'role' of the first check that fails. Returns a function that
 * ends the checks.
 */
export function watchAccess(actor: Actor, documentId: string, lost: (error: unknown) => void): () => void {
  let isChecking = false
  let isStale = false
  const check = async () => {
    isStale = true
    if (isChecking) return
    isChecking = true
    while (isStale) {
      isStale = false
      await asActor(actor, (tx) => documentOrThrow(tx, documentId, 'ask')).catch(lost)
    }
    isChecking = false
  }
  return onNotice((channel, text) => {
    if (channel === 'reconnected' || (channel === CHANNELS.event && text === actor.userId)) void check()
  })
}
