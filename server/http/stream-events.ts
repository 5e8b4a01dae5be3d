import { streamSSE } from 'hono/streaming'
import type { AppContext } from './router.ts'

/** Milliseconds between comment lines that keep the stream open, because proxies close idle connections. */
const HEARTBEAT_MS = 15_000

/** Returns whether the client requests an event stream. */
export const wantsStream = (c: AppContext): boolean => c.req.header('accept')?.includes('text/event-stream') ?? false

/**
 * Responds with a stream of named events. Errors before the first event are thrown, so that the response has their status.
 * `left` is called when the client disconnects and again at the end of the stream, so it must accept a second call.
 */
export async function streamEvents(
  c: AppContext,
  events: AsyncGenerator<{ event: string; data: unknown }>,
  left: () => void,
): Promise<Response> {
  let next = await events.next()
  return streamSSE(c, async (stream) => {
    stream.onAbort(left)
    const heartbeat = setInterval(() => void stream.write(': waiting\n\n'), HEARTBEAT_MS)
    try {
      for (; !next.done && !stream.aborted; next = await events.next())
        await stream.writeSSE({ event: next.value.event, data: JSON.stringify(next.value.data) })
    } finally {
      clearInterval(heartbeat)
      left()
      await events.return(undefined)
    }
  })
}
