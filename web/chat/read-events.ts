/** One event of a server-sent event stream. `event` defaults to 'message'. */
export interface ServerEvent {
  event: string
  data: string
}

/** Maximum line length in characters; protects the memory of the tab. */
const LONGEST_LINE = 4_000_000

/**
 * Reads server-sent events from the body of a fetch, because EventSource cannot POST. Follows the "event stream
 * interpretation" of the HTML standard: lines end in LF, CR or CRLF; data lines are joined with a line break; comments
 * and events without data are skipped; an unfinished last event is dropped. Throws when a line is too long.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = ''
  let data: string[] = []
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n') }
      event = ''
      data = []
      continue
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      // A final CR may be the first half of a CRLF.
      const whole = !done && rest.endsWith('\r') ? rest.slice(0, -1) : rest
      const lines = whole.split(/\r\n|\r|\n/)
      const last = lines.pop()!
      rest = last + rest.slice(whole.length)
      yield* lines
      if (done) return
      if (rest.length > LONGEST_LINE) throw new Error('The answer has a line without end')
    }
  } finally {
    // Also runs when the caller stops early: closes the connection without reading the rest.
    await reader.cancel().catch(() => undefined)
  }
}
