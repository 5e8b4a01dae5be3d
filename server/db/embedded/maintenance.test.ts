import { describe, expect, it } from 'vitest'
import { isVacuumDue } from './maintenance.ts'

const HOUR = 3_600_000

describe('the daily vacuum', () => {
  it.each([
    ['at night, a day after the last', 24, 3, 120_000, true],
    ['at night, once only', 1, 3, 120_000, false],
    ['by day, a day after the last', 24, 14, 120_000, false],
    ['by day, where the machine sleeps at night', 40, 14, 120_000, true],
    ['never while somebody works', 400, 3, 10_000, false],
  ])('%s', (_, hoursAgo, hour, idleMs, isDue) => {
    const now = 1_800_000_000_000
    expect(isVacuumDue(now, now - hoursAgo * HOUR, hour, idleMs)).toBe(isDue)
  })
})
