import { expect, it } from 'vitest'
import { backendQuery, budgetsQuery, usageQuery } from './queries.ts'

it('usage is fetched again every five minutes (ADMC-02, CONST-28)', () => {
  for (const { refetchInterval } of [usageQuery('30'), backendQuery, budgetsQuery])
    expect(refetchInterval).toBe(300_000)
})
