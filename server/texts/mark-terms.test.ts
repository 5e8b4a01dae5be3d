import { expect, it } from 'vitest'
import { markTerms } from './mark-terms.ts'

const terms = new Set(['nap'])
const bestOf = (text: string) => {
  const { start, end } = markTerms(text, terms).best
  return text.slice(start, end)
}

it.each([
  [
    'the sentence with most words of the search',
    'A nap helps. Naps of nurses and naps of pilots. It ends.',
    'Naps of nurses and naps of pilots.',
  ],
  ['the first of several', 'It begins. A nap helps. A nap harms.', 'A nap helps.'],
  ['the first sentence of a text without the words', 'It begins. It ends.', 'It begins.'],
  [
    'no sentence for adjacent words in two sentences',
    'We had a nap\nNaps helped. One nap is good.',
    'One nap is good.',
  ],
  ['the whole text without a sentence', '  ', '  '],
])('The best sentence is %s', (_, text, best) => {
  expect(bestOf(text)).toBe(best)
})

it('A text with 120,000 short sentences is marked', () => {
  const { marks, best } = markTerms('Nap. '.repeat(120_000), terms)
  expect(marks).toHaveLength(120_000)
  expect(best).toEqual({ start: 0, end: 4 })
})
