import { expect, it } from 'vitest'
import { createObjectReader } from './json-objects.ts'

const A = { text: 'Naps {help} "much" \\ now', quotes: [{ passage: 'P1', words: 'a}' }] }
const B = { text: 'B', quotes: [] }

it.each([
  ['one object for each line', `${JSON.stringify(A)}\n${JSON.stringify(B)}\n`],
  ['an array in a fence', `Here you are:\n\`\`\`json\n[${JSON.stringify(A)}, ${JSON.stringify(B)}]\n\`\`\``],
  ['one object with a list', JSON.stringify({ sentences: [A, B] })],
  ['one object with a list that has another property before it', JSON.stringify({ n: [1], sentences: [A, B], x: {} })],
  ['a list inside two objects', JSON.stringify({ answer: { sentences: [A, B] } })],
  ['an array of an object with a list', JSON.stringify([{ sentences: [A, B] }])],
  ['indented objects', JSON.stringify([A, B], null, 2)],
])('The object reader reads %s in pieces of any size', (_, text) => {
  for (const size of [1, 2, 7, text.length]) {
    const read = createObjectReader()
    const found = Array.from({ length: Math.ceil(text.length / size) }, (_none, index) =>
      read(text.slice(index * size, (index + 1) * size)),
    ).flat()
    expect(found).toEqual([A, B])
  }
})

it('The object reader returns each sentence of a list as soon as it is complete, and returns no quote as a sentence', () => {
  const odd = { quotes: [{ passage: 'P1', text: 'a' }], sources: [{ passage: 'P1', text: 'a' }], text: 'A' }
  const pieces = ['{"sentences": [', `${JSON.stringify(A)},`, JSON.stringify(odd), ',{"text": "cut']
  const read = createObjectReader()
  expect(pieces.map((piece) => read(piece))).toEqual([[], [A], [odd], []])
  expect(createObjectReader()(JSON.stringify(odd))).toEqual([odd])
  const verdicts = [{ id: 1, verdict: 'no' }]
  expect(createObjectReader()(JSON.stringify({ verdicts }))).toEqual(verdicts)
})

it('The object reader skips text, an object that is not complete, and one without an end', () => {
  expect(createObjectReader()('No {object} here } {"text": "x"')).toEqual([])
  expect(createObjectReader()(`{"text": "${'x'.repeat(60_000)}`)).toEqual([])
})
