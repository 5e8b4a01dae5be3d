import { CHANNELS, onNotice } from '#server/events/listen.ts'
import { log } from '#server/lib/log.ts'
import { recentFailures } from '#server/lib/recent-failures.ts'
import { findStale, reanchorPart } from './reanchor-stale.ts'

/**
 * LOOK_AGAIN_MS: time in ms after which the loop searches for stale evidence (quotes not yet searched in the changed text of
 * their paper) even without a notification, because a notification can be lost. ERROR_MS: time in ms before the next search
 * after an error.
 */
const LOOK_AGAIN_MS = 60_000
const ERROR_MS = 30_000

let stopping = new AbortController()
let running: Promise<void> | undefined
let stopListening: (() => void) | undefined
/**
 * Resolves when the loop must search for stale evidence (quotes not yet searched in the changed text of their paper): after a
 * notification, after a time limit, or when the loop must end. It is replaced by a new promise before each search.
 */
let due = Promise.withResolvers<void>()

const failures = recentFailures()

/**
 * Starts a loop that searches for the quotes of stored evidence again after a change of a text, in the background, in parts,
 * one document at a time. A trigger marks the evidence as stale in the transaction that changes the text, so interrupted work
 * continues after the next start.
 */
export function registerJobs(): void {
  stopping = new AbortController()
  stopListening = onNotice((channel) => {
    if (channel === CHANNELS.evidence || channel === 'reconnected') due.resolve()
  })
  running = reanchorAll(stopping.signal)
}

/**
 * Stops the search for the quotes of evidence in changed texts (see `registerJobs`) in this process. Waits until the search in
 * the current document is finished or aborted.
 */
export async function stopReanchoring(): Promise<void> {
  stopListening?.()
  stopping.abort()
  due.resolve()
  await running
}

async function reanchorAll(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    due = Promise.withResolvers()
    const limitMs = await reanchorUntilDone(signal).then(
      () => LOOK_AGAIN_MS,
      (error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'stale evidence could not be listed')
        return ERROR_MS
      },
    )
    if (!signal.aborted) await nextChange(limitMs)
  }
}

/**
 * Searches for quotes in the changed texts of their papers until no evidence is stale. Skips documents in which the search has
 * failed recently.
 */
async function reanchorUntilDone(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const document = await findStale(failures.skipped(Date.now()))
    if (!document) break
    try {
      await reanchorPart(document, signal)
      failures.remove(document.id)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error, document: document.id }, 'evidence could not be searched in a new text')
      failures.add({ id: document.id, version: String(document.text_version) }, Date.now())
    }
  }
}

async function nextChange(limitMs: number): Promise<void> {
  const timer = setTimeout(due.resolve, limitMs)
  await due.promise
  clearTimeout(timer)
}
