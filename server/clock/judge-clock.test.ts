import { describe, expect, it } from 'vitest'
import { type ClockMarks, judgeClock } from './judge-clock.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const T = Date.UTC(2026, 0, 1)
const calm: ClockMarks = { trustedAt: T, latestAt: T, doubtedAt: null }

/** Reads a clock every minute for `ms`. */
function goOn(marks: ClockMarks, from: number, ms: number): ClockMarks {
  let now = from
  let seen = marks
  while (now < from + ms) {
    now += MINUTE
    seen = judgeClock(seen, now, MINUTE).marks
  }
  return seen
}

describe('judgeClock', () => {
  it('judgeClock trusts a steady clock, also after a night or two without the server', () => {
    expect(judgeClock(null, T, null).marks).toEqual(calm)
    expect(goOn(calm, T, 2 * HOUR)).toEqual({ trustedAt: T + 2 * HOUR, latestAt: T + 2 * HOUR, doubtedAt: null })
    expect(judgeClock(calm, T + DAY, null)).toMatchObject({ ahead: 0, marks: { trustedAt: T + DAY } })
    expect(judgeClock(calm, T - 30_000, MINUTE)).toMatchObject({ back: 0, marks: { latestAt: T } })
  })

  it.each([HOUR, DAY, 365 * DAY])('judgeClock distrusts a jump of %i ms ahead for a day, then trusts it', (jump) => {
    const there = T + jump + MINUTE
    const seen = judgeClock(calm, there, MINUTE)
    expect(seen).toEqual({ ahead: jump, back: 0, marks: { trustedAt: T, latestAt: there, doubtedAt: there } })
    expect(goOn(seen.marks, there, DAY - MINUTE).trustedAt).toBe(T)
    expect(goOn(seen.marks, there, DAY)).toMatchObject({ trustedAt: there + DAY, doubtedAt: null })
  })

  it('judgeClock trusts a clock that returns, and reports by how much', () => {
    const there = judgeClock(calm, T + 365 * DAY, MINUTE).marks
    expect(judgeClock(there, T + HOUR, MINUTE)).toEqual({
      ahead: 0,
      back: 365 * DAY - HOUR,
      marks: { trustedAt: T + HOUR, latestAt: T + HOUR, doubtedAt: null },
    })
  })

  it('judgeClock trusts a clock that goes back, also to before the trusted time', () => {
    expect(judgeClock(calm, T - HOUR, MINUTE)).toMatchObject({ back: HOUR, marks: { trustedAt: T - HOUR } })
  })

  it('judgeClock distrusts a start after a long absence, and still advances where the server runs an hour a month', () => {
    let marks = calm
    for (let month = 1; month <= 3; month++) {
      const { marks: found, ahead } = judgeClock(marks, T + month * 30 * DAY, null)
      expect(ahead).toBe(30 * DAY - (month > 1 ? HOUR : 0))
      expect(found.trustedAt).toBe(T + Math.max(0, month - 1) * 30 * DAY)
      marks = goOn(found, T + month * 30 * DAY, HOUR)
    }
  })

  it('judgeClock advances also where the machine sleeps every night', () => {
    let marks = calm
    let now = T
    for (let day = 0; day < 4; day++) {
      marks = goOn(marks, now, 8 * HOUR)
      now += DAY
      marks = judgeClock(marks, now, MINUTE).marks
    }
    expect(marks.trustedAt).toBeGreaterThan(T + 2 * DAY)
  })
})
