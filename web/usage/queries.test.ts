import { expect, it } from 'vitest'
import { backendQuery, budgetsQuery, usageQuery } from './queries.ts'

it('Usage is refetched every five minutes (ADMC-02, CONST-28)', () => {
  for (const { refetchInterval } of [usageQuery('30'), backendQuery, budgetsQuery])
    expect(refetchInterval).toBe(300_000)
})
