import { expect, it } from 'vitest'
import { readDollars } from './dollars.ts'

it.each([
  ['', null],
  [' ', null],
  ['0', 0],
  [' 5.50 ', 5.5],
  ['5,50', Number.NaN],
  ['-1', Number.NaN],
  ['$5', Number.NaN],
  ['Infinity', Number.NaN],
])('The typed amount %j is read as %j', (typed, amount) => {
  expect(readDollars(typed)).toBe(amount)
})
