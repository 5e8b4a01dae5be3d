import { expect, it } from 'vitest'
import { toggled } from './filters.tsx'

it('toggled adds and removes a value, and returns undefined for an empty list', () => {
  expect(toggled(undefined, 'a')).toEqual(['a'])
  expect(toggled(['a'], 'b')).toEqual(['a', 'b'])
  expect(toggled(['a'], 'a')).toBeUndefined()
})
