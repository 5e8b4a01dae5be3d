const MIN = 15
const DAY = 24 * 60
const WEEK = 7 * DAY
/** How many of the newest dates tell how often a feed publishes. */
const RECENT = 10

/**
 * Minutes until a feed is read again, 15 to 1,440: half of what passes on average between its newest articles, the time
 * since the newest one included. Without dates the interval of before shrinks when there was news and grows when not.
 */
export function nextInterval(
  dates: readonly (string | null)[],
  before: number,
  news: number,
  now = Date.now(),
): number {
  const newest = dates
    .flatMap((one) => (one === null ? [] : [Date.parse(one)]))
    .sort((a, b) => b - a)
    .slice(0, RECENT)
  const oldest = newest.at(-1)
  if (newest.length >= 2 && oldest !== undefined) return bounded((now - oldest) / newest.length / 2 / 60_000)
  return bounded(before * (news > 0 ? 0.5 : 1.5))
}

/** Minutes until a feed that failed is tried again: doubled each time, and never less than the site asked for. */
export function backOff(failures: number, retryAfterSeconds: number | null): number {
  const doubled = Math.min(DAY, MIN * 2 ** Math.min(failures - 1, 10))
  return Math.max(doubled, Math.min(WEEK, (retryAfterSeconds ?? 0) / 60))
}

/** Minutes until an unchanged feed is read again. */
export const afterNoChange = (before: number) => bounded(before * 1.25)

const bounded = (minutes: number) => Math.round(Math.min(DAY, Math.max(MIN, minutes)))
