import { afterEach, expect, it, vi } from 'vitest'
import { streamQuestion } from './stream-question.ts'

afterEach(() => vi.unstubAllGlobals())

it('streamQuestion yields the kind of the answer with the number of passages (LIB-35)', async () => {
  const passages = { passages: 12, kind: 'passages' }
  const stream = `event: passages\ndata: ${JSON.stringify(passages)}\n\nevent: error\ndata: {"message":"Busy."}\n\n`
  const headers = { 'content-type': 'text/event-stream' }
  vi.stubGlobal('fetch', async () => new Response(stream, { headers }))
  const events = []
  for await (const event of streamQuestion('c', { question: 'Q' }, new AbortController().signal)) events.push(event)
  expect(events).toEqual([
    { event: 'passages', data: passages },
    { event: 'error', data: { message: 'Busy.' } },
  ])
})
