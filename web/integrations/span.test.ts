import { expect, it } from 'vitest'
import { inWords } from './span.ts'

it.each([
  [0, '0 s'],
  [12.4, '12 s'],
  [59.6, '1 min'],
  [245, '4 min 5 s'],
  [3599.7, '1 h'],
  [3790, '1 h 3 min'],
])('A span of %d seconds reads %s', (seconds, words) => {
  expect(inWords(seconds)).toBe(words)
})
