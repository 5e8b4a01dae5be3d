import { CHANNELS, onNotice } from '#server/events/listen.ts'
import { log } from '#server/lib/log.ts'
import { findStale, reanchorPart } from './reanchor-stale.ts'

/**
 * Interval in ms of checks that do not need a notification, because a notification can be lost; and the interval after an error.
 */
const LOOK_AGAIN_MS = 60_000
const ERROR_MS = 30_000

let stopping = new AbortController()
let running: Promise<void> | undefined
let stopListening: (() => void) | undefined
/** Resolves when evidence may be stale. A new one replaces it before each search. */
let due = Promise.withResolvers<void>()

/**
 * Searches evidence again after a change of a text, in the background, in parts, one document at a time. A trigger marks it
 * as stale in the transaction of the text, so work that a crash interrupts continues after the next start.
 */
export function registerJobs(): void {
  stopping = new AbortController()
  stopListening = onNotice((channel) => {
    if (channel === CHANNELS.evidence || channel === 'reconnected') due.resolve()
  })
  running = reanchorAll(stopping.signal)
}

/** Ends the search in this process, and waits for a running part. */
export async function stopReanchoring(): Promise<void> {
  stopListening?.()
  stopping.abort()
  due.resolve()
  await running
}

async function reanchorAll(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    due = Promise.withResolvers()
    const isDone = await reanchorUntilDone(signal).catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error }, 'stale evidence could not be listed')
      return false
    })
    if (!signal.aborted) await nextChange(isDone ? LOOK_AGAIN_MS : ERROR_MS)
  }
}

/** Searches until no evidence is stale. The failure of one document does not stop the others; then the result is false. */
async function reanchorUntilDone(signal: AbortSignal): Promise<boolean> {
  const failed: string[] = []
  while (!signal.aborted) {
    const document = await findStale(failed)
    if (!document) break
    await reanchorPart(document, signal).catch((error: unknown) => {
      if (!signal.aborted)
        log.warn({ err: error, document: document.id }, 'evidence could not be searched in a new text')
      failed.push(document.id)
    })
  }
  return failed.length === 0
}

async function nextChange(limitMs: number): Promise<void> {
  const timer = setTimeout(due.resolve, limitMs)
  await due.promise
  clearTimeout(timer)
}
