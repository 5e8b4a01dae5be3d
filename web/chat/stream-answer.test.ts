import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CHAT_FAILED, type ChatStreamEvent } from '#shared/contract/chat.ts'
import { streamAnswer } from './stream-answer.ts'

/** A real server on loopback. Relative URLs of the page are redirected to it. */
let server: Server | undefined
const pageFetch = globalThis.fetch

async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  globalThis.fetch = (path, init) => pageFetch(new URL(path as string, base), init)
}

beforeEach(() => {
  server = undefined
})
afterEach(async () => {
  globalThis.fetch = pageFetch
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
})

async function ask(signal = new AbortController().signal): Promise<ChatStreamEvent[]> {
  const events: ChatStreamEvent[] = []
  for await (const event of streamAnswer('id', { question: 'Why?' }, signal)) events.push(event)
  return events
}

const done = {
  answer: 'Because. [p. 2]',
  sources: [],
  statements: [{ text: 'Because.', passages: [], unsupported_numbers: [] }],
  model: 'm',
  words_only: false,
  conversation_id: '0b6e5f0a-6f0a-4b4a-9c57-6a1f0a0e0001',
}

describe('streamAnswer', () => {
  it('streamAnswer posts the question and yields the known events in order', async () => {
    let asked = ''
    await serve((request, response) => {
      request.on('data', (piece) => (asked += String(piece)))
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('event: sources\ndata: {"sources":[]}\n\nevent: ping\ndata: x\n\n')
        response.end(`event: delta\ndata: {"text":"Because."}\n\nevent: done\ndata: ${JSON.stringify(done)}\n\n`)
      })
    })
    expect(await ask()).toEqual([
      { event: 'sources', data: { sources: [] } },
      { event: 'delta', data: { text: 'Because.' } },
      { event: 'done', data: done },
    ])
    expect(JSON.parse(asked)).toEqual({ question: 'Why?' })
  })

  it('streamAnswer throws the message of an error response', async () => {
    await serve((_, response) => {
      response.writeHead(409, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { code: 'not_vectorized', message: 'Vectorize it first.' } }))
    })
    await expect(ask()).rejects.toMatchObject({ status: 409, code: 'not_vectorized', message: 'Vectorize it first.' })
  })

  it('streamAnswer throws the fallback message for an error without a message and for a broken stream (MSG-106)', async () => {
    await serve((_, response) => response.writeHead(502).end('bad gateway'))
    await expect(ask()).rejects.toMatchObject({ message: CHAT_FAILED })
    server!.closeAllConnections()
    server!.close()
    await serve((_, response) => response.end('event: delta\ndata: {"text":"Half a"}\n\n'))
    await expect(ask()).rejects.toMatchObject({ code: 'broken_off', message: CHAT_FAILED })
  })

  it('streamAnswer throws the fallback message for a lost connection, before and during an answer (MSG-106)', async () => {
    await serve((request) => request.socket.destroy())
    await expect(ask()).rejects.toMatchObject({ status: 0, message: CHAT_FAILED })
    server!.close()
    await serve((_, response) => {
      response.write('event: delta\ndata: {"text":"Half a"}\n\n', () => response.destroy())
    })
    await expect(ask()).rejects.toMatchObject({ status: 0, message: CHAT_FAILED })
  })

  it('streamAnswer ends when the reader stops it', async () => {
    await serve((_, response) => response.write('event: delta\ndata: {"text":"…"}\n\n'))
    const stop = new AbortController()
    const answer = streamAnswer('id', { question: 'Why?' }, stop.signal)
    await answer.next()
    stop.abort()
    await expect(answer.next()).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('streamAnswer rejects data of another shape', async () => {
    await serve((_, response) => response.end('event: delta\ndata: {"words":1}\n\n'))
    await expect(ask()).rejects.toThrow()
  })
})
