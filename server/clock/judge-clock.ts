const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Tolerance between a clock and the elapsed time: small corrections are normal. */
const SLACK = MINUTE
/** After a longer time off, the server distrusts the clock at first. */
const ABSENCE = 2 * DAY
/** How long a clock that has jumped ahead must run steadily to be trusted again. */
const PROBATION = DAY

/** The known state of the clock, in milliseconds since 1970. */
export interface ClockMarks {
  /** The last trusted time. Permanent deletions use it. */
  trustedAt: number
  /** The last reading. */
  latestAt: number
  /** The reading after a jump ahead; null while the clock is trusted. */
  doubtedAt: number | null
}

/** The next marks, and how far the clock jumped in milliseconds (0 without a jump). */
export interface ClockReading {
  marks: ClockMarks
  ahead: number
  back: number
}

/**
 * Judges a reading of the clock by the last one. `elapsed` is the time since that one by a monotonic clock (null at the
 * start of a process, which does not know it). A clock that jumped ahead is distrusted for a day, so that an operator
 * can notice a wrong one. A clock that went back is trusted.
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
    // Off for long times repeatedly: the jump of the last start was not corrected since.
    return { marks: { trustedAt: before.doubtedAt, latestAt, doubtedAt: now }, ahead, back: 0 }
  const doubtedAt = before.doubtedAt ?? (ahead > 0 ? now : null)
  if (doubtedAt !== null && now - doubtedAt < PROBATION)
    return { marks: { trustedAt: before.trustedAt, latestAt, doubtedAt }, ahead, back: 0 }
  return { marks: { trustedAt: now, latestAt, doubtedAt: null }, ahead, back: 0 }
}
