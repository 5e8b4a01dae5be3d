import { describe, expect, it } from 'vitest'
import { compareWords } from './compare-words.ts'

const marked = (text: string, other: string) =>
  compareWords(text, other)
    .one.map(({ text: part, differs }) => (differs ? `[${part}]` : part))
    .join('')

describe('compared words', () => {
  it.each([
    ['Sleep and the memory', 'Sleep and memory', 'Sleep and [the ]memory'],
    ['A randomised nap trial', 'A randomized nap trial', 'A [randomised] nap trial'],
    ['Naps', 'Naps', 'Naps'],
    ['Memory, mind', 'Archive', '[Memory, mind]'],
    ['2024', '', '[2024]'],
    ['', '2024', ''],
  ])('compareWords of %j with %j puts the differing words of %j in brackets', (text, other, expected) => {
    expect(marked(text, other)).toBe(expected)
  })

  it('The parts of both texts are the texts', () => {
    const { one, other } = compareWords('Ärzte schlafen 7.5 h', 'Ärzte schliefen 7,5 h 🙂')
    const joined = [one, other].map((parts) => parts.map(({ text }) => text).join(''))
    expect(joined).toEqual(['Ärzte schlafen 7.5 h', 'Ärzte schliefen 7,5 h 🙂'])
  })
})
