import { describe, expect, it } from 'vitest'
import { isDailyVacuumDue, waitsForQuiet } from './maintenance.ts'

const HOUR = 3_600_000

describe('daily vacuum of all tables', () => {
  it.each([
    ['runs at night, a day after the last', 24, 3, true],
    ['runs once a night', 1, 3, false],
    ['does not run by day, a day after the last', 24, 14, false],
    ['runs by day where the machine sleeps at night', 40, 14, true],
    ['runs where the clock was ahead', -400, 14, true],
  ])('The daily vacuum %s', (_, hoursAgo, hour, isDue) => {
    const now = 1_800_000_000_000
    expect(isDailyVacuumDue(now, now - hoursAgo * HOUR, hour)).toBe(isDue)
  })
})

describe('vacuum of changed tables', () => {
  it.each([
    ['runs beside the polls of the server', 0.01, 0, false],
    ['waits while clients keep the database busy', 0.5, 0, true],
    ['waits no longer after five intervals', 1, 5, false],
  ])('The vacuum %s', (_, share, delays, waits) => {
    expect(waitsForQuiet(share, delays)).toBe(waits)
  })
})
