import { AppError } from '#server/lib/errors.ts'
import { subscribe, type StreamedEvent } from '#server/lib/events.ts'
import { streamBody } from '#server/lib/stream-body.ts'

/** One event in the format of server-sent events; one without a name only moves the client's Last-Event-ID on. */
export function writeEvent(event: StreamedEvent): string {
  if (event.event === null) return `: \nid: ${event.id}\n\n`
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
}

/** How long a session that was good a moment ago is taken to be good still. */
const ASK_AGAIN_MS = 250

/** Far more than anybody has pages open. Each one asks the database at every event: a thousand would be all that it does. */
const MOST_STREAMS = 30
/** How many streams of an account are open in this process. */
const open = new Map<string, number>()

/** Whether a page of the account follows what happens, as far as this process knows. */
export const hasOpenPage = (ownerId: string): boolean => open.has(ownerId)

/** The live events of an account as the body of a response; it ends with the session that asked for it. */
export function eventStream(
  ownerId: string,
  lastEventId: string | undefined,
  request: AbortSignal,
  isSignedIn: () => Promise<boolean>,
): ReadableStream<Uint8Array> {
  const close = countStream(ownerId)
  // A client that is gone before the first piece never begins the events, and so never ends them.
  request.addEventListener('abort', close, { once: true })
  const pieces = async function* (signal: AbortSignal) {
    try {
      yield* written(ownerId, lastEventId, signal, isSignedIn)
    } finally {
      close()
    }
  }
  return streamBody(pieces, request, close)
}

/** Counts a stream of an account until the returned function is called, or refuses it. */
function countStream(ownerId: string): () => void {
  const before = open.get(ownerId) ?? 0
  if (before >= MOST_STREAMS)
    throw new AppError('too_many', 'Too many pages follow what happens here. Please close some of them.', {
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
  lastEventId: string | undefined,
  signal: AbortSignal,
  isSignedIn: () => Promise<boolean>,
): AsyncGenerator<string> {
  let asked = performance.now()
  for await (const event of subscribe(ownerId, lastEventId, signal)) {
    if (performance.now() - asked >= ASK_AGAIN_MS) {
      // Signed out elsewhere: the page of this session hears nothing more, and learns it when it comes back.
      if (!(await isSignedIn())) return
      asked = performance.now()
    }
    yield writeEvent(event)
  }
}
