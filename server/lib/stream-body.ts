/** A client that takes nothing for this long is cut off; it comes back and says what it heard last. */
const STALLED_MS = 30_000
/** Milliseconds after which a browser opens a broken stream anew. */
const RECONNECT_MS = 2_000

/**
 * Server-sent events as the body of a response. The next piece is fetched when the client has taken the last one, so a
 * slow client costs no memory, and one that takes nothing any more loses its connection. `left` is called when the client
 * is the one who ends it, be it before the first piece was asked for.
 */
export function streamBody(
  pieces: (signal: AbortSignal) => AsyncGenerator<string>,
  request: AbortSignal,
  left: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const control = new AbortController()
  const source = pieces(AbortSignal.any([request, control.signal]))
  const encoder = new TextEncoder()
  let stalled: NodeJS.Timeout | undefined
  /** The signal ends pieces that wait for something; those that wait to be asked for the next one hear of nothing but this. */
  const end = () => {
    control.abort()
    void source.return(undefined).catch(() => undefined)
  }
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
        stream.enqueue(encoder.encode(next.value))
        stalled = setTimeout(() => {
          end()
          stream.error(new Error('The client takes no events.'))
        }, STALLED_MS)
      },
      cancel() {
        clearTimeout(stalled)
        end()
        left()
      },
    },
    { highWaterMark: 1 },
  )
}

/** The headers of a response that streams events. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const
