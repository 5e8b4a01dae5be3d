import { log } from '#server/lib/log.ts'

/** A client that reads nothing for this time is disconnected. It can reconnect with the id of its last event. */
const STALLED_MS = 30_000
/** Milliseconds after which a browser reconnects to a broken stream. */
const RECONNECT_MS = 2_000

/**
 * Returns server-sent events as a response body. The next piece is requested after the client has read the previous one, so a
 * slow client needs no memory for a queue. A client that stops reading is disconnected. `left` is called when the client
 * disconnects, even before the first piece was requested.
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
  /**
   * Ends the source of the events. The abort ends a source that waits for something; `return` ends a source that is suspended
   * at a `yield`.
   */
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
          stream.error(new Error('The client does not read its events.'))
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

/**
 * Returns a response body that streams the text `parts`. Requests a part only after the client has read the previous part. If a
 * part fails, the error is logged and the connection is broken, because the status is already sent.
 */
export function streamText(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        const next = await parts.next().catch((error: unknown) => {
          log.error({ err: error }, 'a streamed file ended early')
          throw error
        })
        if (next.done) stream.close()
        else stream.enqueue(encoder.encode(next.value))
      },
      async cancel() {
        await parts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/** The headers of an event stream. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const
