import { expect, it } from 'vitest'
import { grouped } from './numbers.ts'

it('grouped puts a comma before each group of three digits', () => {
  const values = [0, 12, 999, 1000, 45_678, 1_000_000, -1200]
  expect(values.map(grouped)).toEqual(['0', '12', '999', '1,000', '45,678', '1,000,000', '-1,200'])
})
