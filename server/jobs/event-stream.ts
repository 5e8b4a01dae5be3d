import { AppError } from '#server/lib/errors.ts'
import type { Cursor } from '#server/events/cursor.ts'
import { subscribe, type StreamedEvent } from '#server/events/events.ts'
import { streamBody } from '#server/http/stream-body.ts'

/** Formats one server-sent event. An event without a name has no data, and only advances the client's Last-Event-ID. */
export function writeEvent(event: StreamedEvent): string {
  if (event.event === null) return `: \nid: ${event.id}\n\n`
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
}

/** Time in milliseconds for which the result of a successful session check is cached. */
const CHECK_MS = 250

/**
 * Maximum number of open event streams of an account in this process. A user has far fewer open pages. Every stream queries the
 * database at every event, so a thousand streams would overload it.
 */
const MOST_STREAMS = 30
/** Number of open event streams in this process by account id. */
const open = new Map<string, number>()

/** Returns whether an account has an open event stream in this process. */
export const hasOpenPage = (ownerId: string): boolean => open.has(ownerId)

/**
 * Returns the events of an account as a response body that stays open. The stream starts with the first event after the cursor
 * `start`. It ends when `request` is aborted or the caller's session ends. Throws 'too_many' if the account has the maximum
 * number of open streams.
 */
export function eventStream(
  ownerId: string,
  start: Cursor,
  request: AbortSignal,
  isSignedIn: () => Promise<boolean>,
): ReadableStream<Uint8Array> {
  const close = countStream(ownerId)
  // A client that disconnects before the first read never starts the events, and so never ends them.
  request.addEventListener('abort', close, { once: true })
  const pieces = async function* (signal: AbortSignal) {
    try {
      yield* written(ownerId, start, signal, isSignedIn)
    } finally {
      close()
    }
  }
  return streamBody(pieces, request, close)
}

/**
 * Counts an open stream of an account. Returns a function to call when the stream closes. Throws 'too_many' if the account
 * already has MOST_STREAMS open streams.
 */
function countStream(ownerId: string): () => void {
  const before = open.get(ownerId) ?? 0
  if (before >= MOST_STREAMS)
    throw new AppError('too_many', 'Too many pages are open. Please close some of them.', {
      retryAfter: 30,
    })
  open.set(ownerId, before + 1)
  let isOpen = true
  return () => {
    if (!isOpen) return
    isOpen = false
    const left = (open.get(ownerId) ?? 1) - 1
    if (left > 0) open.set(ownerId, left)
    else open.delete(ownerId)
  }
}

async function* written(
  ownerId: string,
  start: Cursor,
  signal: AbortSignal,
  isSignedIn: () => Promise<boolean>,
): AsyncGenerator<string> {
  let checkedAt = performance.now()
  for await (const event of subscribe(ownerId, start, signal)) {
    if (performance.now() - checkedAt >= CHECK_MS) {
      // The session was ended elsewhere: the stream ends, and the page gets the reason when it reconnects.
      if (!(await isSignedIn())) return
      checkedAt = performance.now()
    }
    yield writeEvent(event)
  }
}
