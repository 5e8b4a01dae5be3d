import { subscribe, type StreamedEvent } from '#server/lib/events.ts'

/** A client that takes nothing for this long is cut off; it comes back with Last-Event-ID and misses nothing. */
const STALLED_MS = 30_000
/** Milliseconds after which a browser opens a broken stream anew. */
const RECONNECT_MS = 2_000

/** One event in the format of server-sent events; one without a name only moves the client's Last-Event-ID on. */
export function writeEvent(event: StreamedEvent): string {
  if (event.event === null) return `: \nid: ${event.id}\n\n`
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
}

/**
 * The live events of an account as the body of a response. The next event is fetched when the client has taken the last
 * one, so a slow client costs no memory, and one that takes nothing any more loses its connection.
 */
export function eventStream(
  ownerId: string,
  lastEventId: string | undefined,
  request: AbortSignal,
): ReadableStream<Uint8Array> {
  const control = new AbortController()
  const source = subscribe(ownerId, lastEventId, AbortSignal.any([request, control.signal]))
  const encoder = new TextEncoder()
  let stalled: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(stream) {
        stream.enqueue(encoder.encode(`retry: ${RECONNECT_MS}\n\n`))
      },
      async pull(stream) {
        clearTimeout(stalled)
        const next = await source.next()
        if (next.done) {
          stream.close()
          return
        }
        stream.enqueue(encoder.encode(writeEvent(next.value)))
        stalled = setTimeout(() => {
          control.abort()
          stream.error(new Error('The client takes no events.'))
        }, STALLED_MS)
      },
      cancel() {
        clearTimeout(stalled)
        control.abort()
      },
    },
    { highWaterMark: 1 },
  )
}
