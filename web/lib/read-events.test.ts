import { describe, expect, it } from 'vitest'
import { readEvents, type ServerEvent } from './read-events.ts'

/** Returns a body stream that delivers the given chunks. */
function bodyOf(...pieces: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      controller.close()
    },
  })
}

async function all(body: ReadableStream<Uint8Array>): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of readEvents(body)) events.push(event)
  return events
}

describe('readEvents', () => {
  it('readEvents reads named events and ignores comments', async () => {
    const body = bodyOf(': hello\n\nevent: delta\ndata: {"text":"a"}\n\ndata: plain\n\n')
    expect(await all(body)).toEqual([
      { event: 'delta', data: '{"text":"a"}' },
      { event: 'message', data: 'plain' },
    ])
  })

  it('readEvents accepts chunks cut anywhere, even inside a character or a line end', async () => {
    const bytes = new TextEncoder().encode('event: delta\r\ndata: Fußnote “x”\r\n\r\nevent: done\r\ndata: {}\r\n\r\n')
    const expected = [
      { event: 'delta', data: 'Fußnote “x”' },
      { event: 'done', data: '{}' },
    ]
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await all(bodyOf(bytes.slice(0, cut), bytes.slice(cut)))).toEqual(expected)
    }
  })

  it('readEvents joins data lines and removes one leading space only', async () => {
    expect(await all(bodyOf('data:  two\ndata:lines\ndata\n\n'))).toEqual([{ event: 'message', data: ' two\nlines\n' }])
  })

  it('readEvents throws for an event that does not end', async () => {
    const piece = `data: ${'x'.repeat(1_000_000)}`
    await expect(all(bodyOf(piece, piece, piece, piece, piece))).rejects.toThrow()
  })

  it('readEvents drops an event that the end of the stream cuts off', async () => {
    expect(await all(bodyOf('data: whole\n\nevent: delta\ndata: ha'))).toEqual([{ event: 'message', data: 'whole' }])
  })

  it('readEvents closes the connection when the reader stops early', async () => {
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('data: more\n\n'))
      },
      cancel() {
        cancelled = true
      },
    })
    for await (const event of readEvents(body)) {
      expect(event.data).toBe('more')
      break
    }
    expect(cancelled).toBe(true)
  })
})
