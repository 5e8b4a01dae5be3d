const MIN = 15
const DAY = 24 * 60
const WEEK = 7 * DAY
/** Number of the newest articles whose dates determine the interval. */
const RECENT = 10

/**
 * Returns the minutes until the next read of a feed (15 to 1,440): half of the average time between its newest articles,
 * including the time since the newest article. With fewer than two `dates`, the result is half of `before` (the previous
 * interval in minutes) if there are new articles (`news`), otherwise one and a half times `before`.
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

/**
 * Returns the minutes until the next try of a feed that failed `failures` times in a row: 15 minutes after the first failure,
 * and twice as long after each further failure, up to a day. If the site requested a longer pause with Retry-After, returns
 * this pause, but at most a week.
 */
export function backOff(failures: number, retryAfterSeconds: number | null): number {
  const doubled = Math.min(DAY, MIN * 2 ** Math.min(failures - 1, 10))
  return Math.max(doubled, Math.min(WEEK, (retryAfterSeconds ?? 0) / 60))
}

/**
 * Returns the minutes until the next read of a feed that has not changed: 1.25 times `before`, the previous interval in
 * minutes, but at least 15 minutes and at most a day.
 */
export const afterNoChange = (before: number) => bounded(before * 1.25)

const bounded = (minutes: number) => Math.round(Math.min(DAY, Math.max(MIN, minutes)))
