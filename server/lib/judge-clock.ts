const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** What two readings of a clock may differ from what has passed: it is set a little now and then. */
const SLACK = MINUTE
/** A server that was switched off for longer than this comes back to a clock that has to prove itself. */
const ABSENCE = 2 * DAY
/** How long a clock that has jumped ahead must go on from there to be trusted again. */
const PROBATION = DAY

/** What is known of the clock, in milliseconds since 1970. */
export interface ClockMarks {
  /** Up to here it has gone as a clock goes; removals for good go by this. */
  trustedAt: number
  /** What it said last. */
  latestAt: number
  /** What it said when it had jumped ahead; null while it is trusted. */
  doubtedAt: number | null
}

/** The next marks, and how far the clock jumped, if it did, in milliseconds. */
export interface ClockReading {
  marks: ClockMarks
  ahead: number
  back: number
}

/**
 * Judges a reading of the clock by the last one. `elapsed` is how long ago that was by a clock that nobody sets (null at
 * the start of a process, which does not know). One that has jumped ahead is not trusted for a day: should it be wrong,
 * there is time to notice. One that has gone back is believed.
 */
export function judgeClock(before: ClockMarks | null, now: number, elapsed: number | null): ClockReading {
  if (!before) return { marks: { trustedAt: now, latestAt: now, doubtedAt: null }, ahead: 0, back: 0 }
  const gap = now - before.latestAt
  if (gap < -SLACK) {
    const isPlain = now - before.trustedAt <= ABSENCE
    const marks = isPlain
      ? { trustedAt: now, latestAt: now, doubtedAt: null }
      : { ...before, latestAt: now, doubtedAt: now }
    return { marks, ahead: 0, back: -gap }
  }
  const ahead = gap > (elapsed ?? ABSENCE) + SLACK ? gap - (elapsed ?? 0) : 0
  const latestAt = Math.max(now, before.latestAt)
  if (ahead > ABSENCE && before.doubtedAt !== null)
    // Off and on again for long times: what was doubted at the last time was not taken back since.
    return { marks: { trustedAt: before.doubtedAt, latestAt, doubtedAt: now }, ahead, back: 0 }
  const doubtedAt = before.doubtedAt ?? (ahead > 0 ? now : null)
  if (doubtedAt !== null && now - doubtedAt < PROBATION)
    return { marks: { trustedAt: before.trustedAt, latestAt, doubtedAt }, ahead, back: 0 }
  return { marks: { trustedAt: now, latestAt, doubtedAt: null }, ahead, back: 0 }
}
