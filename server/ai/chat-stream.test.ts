import { expect, it } from 'vitest'
import { createThoughtFilter, readChatStream } from './chat-stream.ts'

const streamOf = (...events: unknown[]) =>
  new Response(events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''))
    .body!
const textOf = async (...events: unknown[]) => {
  let text = ''
  for await (const part of readChatStream(streamOf(...events))) text += part.text
  return text
}
const choice = (delta: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})

it.each([
  ['strings', [choice({ role: 'assistant', content: 'Yes' }), choice({ content: ', it does.' })], 'Yes, it does.'],
  [
    'parts with a type, of which thoughts are omitted',
    [
      choice({
        content: [
          { type: 'thinking', thinking: [] },
          { type: 'text', text: 'Yes.' },
        ],
      }),
    ],
    'Yes.',
  ],
  ['events without choices', [{ id: '1' }, { choices: [] }, choice({ content: 'Yes.' }), { usage: null }], 'Yes.'],
  ['thoughts in a field of their own', [choice({ reasoning_content: 'Hm' }), choice({ content: 'Yes.' })], 'Yes.'],
  ['an end marker', [choice({ content: 'Yes.' }), choice({}, 'stop'), '[DONE]'], 'Yes.'],
])('readChatStream reads %s', async (_what, events, text) => {
  expect(await textOf(...events)).toBe(text)
})

it('readChatStream reports the end, the tokens and a refusal', async () => {
  const parts = []
  const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }
  const events = streamOf(choice({ refusal: 'No.' }), choice({}, 'length'), { choices: [], usage }, '[DONE]')
  for await (const part of readChatStream(events)) parts.push(part)
  expect(parts).toMatchObject([
    { text: 'No.', isRefusal: true },
    { finish: 'length' },
    { usage: { tokensIn: 9, tokensOut: 4 } },
  ])
})

it.each([
  ['a thought at the beginning', ['<think>Hm.</think>Yes.'], 'Yes.'],
  ['tags that are cut between pieces', ['A<th', 'ink>Hm', '.</', 'think', '>B'], 'AB'],
  ['several thoughts', ['<think>1</think>A<think>2</think>B'], 'AB'],
  ['a thought without an end', ['A<think>Hm'], 'A'],
  ['a comparison at the end of a piece', ['p <', ' 0.05 and q <'], 'p < 0.05 and q <'],
  ['another tag', ['<thing>', '</think>'], '<thing></think>'],
])('createThoughtFilter handles %s', (_what, pieces, text) => {
  const filter = createThoughtFilter()
  expect(pieces.map((piece) => filter(piece)).join('') + filter('', true)).toBe(text)
})
