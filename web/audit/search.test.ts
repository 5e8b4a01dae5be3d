import { expect, it } from 'vitest'
import { auditSearch } from './search.ts'

it.each([
  [{ days: 7 }, { days: '7' }],
  [{ days: '30' }, { days: '30' }],
  [{ days: 8 }, {}],
  [{}, {}],
])('auditSearch reads %j as the router passes it', (given, expected) => {
  expect(auditSearch.parse(given)).toEqual(expected)
})
