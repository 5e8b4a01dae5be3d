import { expect, it } from 'vitest'
import { pageRanges, pagesIn } from './page-ranges.ts'

it.each([
  ['4', [[4]]],
  ['4, 9', [[4], [9]]],
  ['4–7', [[4, 5, 6, 7]]],
  ['2; 4 - p. 6, 2', [[2], [4, 5, 6]]],
  ['7–4', [[7], [4]]],
  ['1–99999', [[1], [99999]]],
])('pageRanges reads "%s"', (numbers, pages) => {
  expect(pageRanges(numbers).map(pagesIn)).toEqual(pages)
})
