import { describe, expect, it } from 'vitest'
import { differingWords } from './differing-words.ts'

const marked = (text: string, other: string) =>
  differingWords(text, other)
    .map(({ text: part, differs }) => (differs ? `[${part}]` : part))
    .join('')

describe('differing words', () => {
  it.each([
    ['Sleep and the memory', 'Sleep and memory', 'Sleep and [the ]memory'],
    ['A randomised nap trial', 'A randomized nap trial', 'A [randomised] nap trial'],
    ['Naps', 'Naps', 'Naps'],
    ['Memory & Mind', 'Open Sleep Archive', 'Memory & Mind'],
    ['2024', '', '2024'],
  ])('differingWords of %j, compared with %j, are the words in brackets of %j', (text, other, expected) => {
    expect(marked(text, other)).toBe(expected)
  })
})
