import { expect, it } from 'vitest'
import { daysOf, usageSearch } from './periods.ts'

const now = new Date('2026-03-01T00:30:00Z')

it.each([
  ['7', '2026-02-23', '2026-03-01'],
  ['30', '2026-01-31', '2026-03-01'],
  ['month', '2026-03-01', '2026-03-01'],
  ['last-month', '2026-02-01', '2026-02-28'],
  ['year', '2025-04-01', '2026-03-01'],
] as const)('The period %s is from %s to %s', (period, from, to) => expect(daysOf(period, now)).toEqual({ from, to }))

it('The usage search parameters are valid for any address', () => {
  expect(usageSearch.parse({ tab: 'backend', period: 'year' })).toEqual({ tab: 'backend', period: 'year' })
  expect(usageSearch.parse({ tab: 'other', period: 'never' })).toEqual({})
})
