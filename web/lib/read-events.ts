import { createParser } from 'eventsource-parser'

/** One event of a server-sent event stream. `event` defaults to 'message'. */
export interface ServerEvent {
  event: string
  data: string
}

/** Maximum length of an event in characters, which limits the memory use of the tab. */
const LONGEST_EVENT = 4_000_000

/**
 * Reads server-sent events from the body of a fetch, because EventSource cannot send a POST request. Discards an unfinished
 * event at the end. Throws if an event is too long or the connection breaks.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const events: ServerEvent[] = []
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ event = 'message', data }) => events.push({ event, data }),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw error
    },
  })
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    // Also runs when the caller stops early: closes the connection without reading the rest.
    await reader.cancel().catch(() => undefined)
  }
}
