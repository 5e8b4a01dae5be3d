import { describe, expect, it } from 'vitest'
import { afterNoChange, backOff, nextInterval } from './next-fetch.ts'

const NOW = Date.parse('2026-09-18T12:00:00Z')
const hoursAgo = (...hours: number[]) => hours.map((one) => new Date(NOW - one * 3_600_000).toISOString())

describe('interval of a feed', () => {
  it.each([
    ['an article every two hours', hoursAgo(2, 4, 6, 8, 10), 60],
    ['one every minute', hoursAgo(0.02, 0.03, 0.05, 0.06), 15],
    ['one a month', hoursAgo(720, 1440, 2160), 1440],
    ['the newest ten count', hoursAgo(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9000), 30],
  ])('The interval adapts to the frequency of articles: %s', (_name, dates, minutes) =>
    expect(nextInterval(dates, 60, 0, NOW)).toBe(minutes),
  )

  it('The interval of a feed without dates is shorter after new articles and longer without new articles', () => {
    expect(nextInterval([null, null], 60, 3, NOW)).toBe(30)
    expect(nextInterval([null, null], 60, 0, NOW)).toBe(90)
    expect(nextInterval([], 1440, 0, NOW)).toBe(1440)
    expect(afterNoChange(1440)).toBe(1440)
  })
})

describe('pause after failures', () => {
  it('The pause after failures doubles up to a day', () =>
    expect([1, 2, 3, 7, 8, 500].map((failures) => backOff(failures, null))).toEqual([15, 30, 60, 960, 1440, 1440]))
  it('The pause after failures is at least Retry-After, up to a week', () => {
    expect(backOff(1, 7200)).toBe(120)
    expect(backOff(8, 60)).toBe(1440)
    expect(backOff(1, 1e12)).toBe(7 * 1440)
  })
})
