import { expect, it } from 'vitest'
import { firstIndex } from './first-index.ts'

it.each([
  [[], 5, 0],
  [[1, 3, 5, 7], 5, 2],
  [[1, 3, 5, 7], 4, 2],
  [[1, 3, 5, 7], 0, 0],
  [[1, 3, 5, 7], 8, 4],
  [[5, 5, 5], 5, 0],
])('firstIndex returns the index of the first item in %j that is at least %i', (list, least, expected) => {
  expect(firstIndex(list, (item) => item >= least)).toBe(expected)
})

it('firstIndex reads 20 of a million items at most', () => {
  let reads = 0
  const sorted = Array.from({ length: 1_000_000 }, (_, n) => n)
  expect(firstIndex(sorted, (item) => (reads++, item >= 765_432))).toBe(765_432)
  expect(reads).toBeLessThanOrEqual(20)
})
