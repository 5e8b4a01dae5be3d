/** Names of the months. Used in place of Intl, whose first formatter would delay the first display of a page by 25 ms. */
export const MONTHS = 'January February March April May June July August September October November December'.split(' ')
/** Writes a number below 100 with two digits. */
export const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Formats the local date of a time as 'Nov 18, 2026'. Returns text that is not a date unchanged. */
export function shortDate(value: string): string {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return value
  return `${MONTHS[date.getMonth()]!.slice(0, 3)} ${date.getDate()}, ${date.getFullYear()}`
}

/** Formats a time as local date and time of day: 'Nov 18, 2026, 14:20'. Returns text that is not a date unchanged. */
export function shortDateAndTime(value: string): string {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return value
  return `${shortDate(value)}, ${timeOfDay(value)}`
}

/** Formats the local time of day as '14:20'. Returns an invalid time unchanged. */
export function timeOfDay(value: string): string {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return value
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/**
 * Formats a time as 'Today, 14:20' or 'Yesterday', or as a date such as 'Nov 18, 2026' if it is earlier. Uses the local time
 * zone.
 */
export function recentDate(value: string, now = new Date()): string {
  const day = shortDate(value)
  if (day === shortDate(now.toISOString())) return `Today, ${timeOfDay(value)}`
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  return day === shortDate(yesterday.toISOString()) ? 'Yesterday' : day
}

const DAY_MS = 86_400_000

/**
 * Returns the time at which an article of a feed was published. Midnight in UTC means that the feed gives only a date: the
 * start of this date in the local time zone is then returned, so that the article is shown under the right day.
 */
export function publishedAt(value: string): Date {
  const time = new Date(value)
  if (time.getTime() % DAY_MS !== 0) return time
  return new Date(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate())
}

/** Formats a publication date as `MMMM dd, yyyy` without a time zone shift. Returns other text unchanged. */
export function publicationDate(value: string): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(value)
  if (!parts) return value
  const date = new Date(Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])))
  return `${MONTHS[date.getUTCMonth()]!} ${twoDigits(date.getUTCDate())}, ${date.getUTCFullYear()}`
}

/**
 * Parses a typed date into `yyyy-mm-dd`. Accepts ISO dates and named months (`March 04, 2025`, `4 Mar 2025`). Returns
 * null for anything else, such as the ambiguous 03/04/2025.
 */
export function readDate(text: string): string | null {
  const typed = text.trim()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed)
  if (iso) return isoDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const named = /^([a-z]+)\.? (\d{1,2}),? (\d{4})$/i.exec(typed)
  if (named) return isoDate(Number(named[3]), monthOf(named[1]!), Number(named[2]))
  const british = /^(\d{1,2}) ([a-z]+)\.?,? (\d{4})$/i.exec(typed)
  return british ? isoDate(Number(british[3]), monthOf(british[2]!), Number(british[1])) : null
}

/** Returns the number of a month name, 1 to 12. Returns 0 if the word is not a month or has fewer than three letters. */
const monthOf = (word: string) =>
  word.length < 3 ? 0 : MONTHS.findIndex((month) => month.toLowerCase().startsWith(word.toLowerCase())) + 1

function isoDate(year: number, month: number, day: number): string | null {
  const written = [String(year).padStart(4, '0'), ...[month, day].map(twoDigits)].join('-')
  const date = new Date(`${written}T00:00:00Z`)
  // Date rolls 30 February over to 2 March; such a date is rejected.
  return year > 0 && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written) ? written : null
}

export { counted } from '#shared/text/numbers.ts'
