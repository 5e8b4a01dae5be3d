/** One message of a server-sent event stream; `event` is 'message' where the server names none. */
export interface ServerEvent {
  event: string
  data: string
}

/** An answer that never ends a line must not fill the memory of the tab. */
const LONGEST_LINE = 4_000_000

/**
 * Reads server-sent events from the body of a fetch, which EventSource cannot do for a POST. Follows the "event stream
 * interpretation" of the HTML standard: lines end in LF, CR or CRLF, several data lines are joined with a line break,
 * comments and events without data are passed over, an unfinished last event is dropped.
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
      // A CR at the end may be the first half of a CRLF that the next piece completes.
      const whole = !done && rest.endsWith('\r') ? rest.slice(0, -1) : rest
      const lines = whole.split(/\r\n|\r|\n/)
      const last = lines.pop()!
      rest = last + rest.slice(whole.length)
      yield* lines
      if (done) return
      if (rest.length > LONGEST_LINE) throw new Error('The answer has a line without end')
    }
  } finally {
    // Also when the caller stops early: the connection is given up, not read to its end.
    await reader.cancel().catch(() => undefined)
  }
}
