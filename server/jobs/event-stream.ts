import { subscribe, type StreamedEvent } from '#server/lib/events.ts'
import { streamBody } from '#server/lib/stream-body.ts'

/** One event in the format of server-sent events; one without a name only moves the client's Last-Event-ID on. */
export function writeEvent(event: StreamedEvent): string {
  if (event.event === null) return `: \nid: ${event.id}\n\n`
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
}

/** How long a session that was good a moment ago is taken to be good still. */
const ASK_AGAIN_MS = 250

/** The live events of an account as the body of a response; it ends with the session that asked for it. */
export const eventStream = (
  ownerId: string,
  lastEventId: string | undefined,
  request: AbortSignal,
  isSignedIn: () => Promise<boolean>,
): ReadableStream<Uint8Array> => streamBody((signal) => written(ownerId, lastEventId, signal, isSignedIn), request)

async function* written(
  ownerId: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
  isSignedIn: () => Promise<boolean>,
): AsyncGenerator<string> {
  let asked = Date.now()
  for await (const event of subscribe(ownerId, lastEventId, signal)) {
    if (Date.now() - asked >= ASK_AGAIN_MS) {
      // Signed out elsewhere: the page of this session hears nothing more, and learns it when it comes back.
      if (!(await isSignedIn())) return
      asked = Date.now()
    }
    yield writeEvent(event)
  }
}
