import type { CslDate } from '#shared/contract/references.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const SEASONS = ['spring', 'summer', 'autumn', 'winter']
const MONTH_NAMES = MONTHS.map((month) => month[0]!.toUpperCase() + month.slice(1))
const SEASON_NAMES = SEASONS.map((season) => season[0]!.toUpperCase() + season.slice(1))

/** One point in time with the precision of the source. Months 21 to 24 are seasons, as in ISO 8601-2. */
type Point = { year: number; month?: number; day?: number }

const monthOf = (word: string) => MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1
function seasonOf(word: string): number {
  const lower = word.toLowerCase()
  if (lower === 'fall') return 23
  const at = lower.length < 3 ? -1 : SEASONS.findIndex((season) => season.startsWith(lower) || lower.startsWith(season))
  return at === -1 ? 0 : at + 21
}

function point(year: number, month = 0, day = 0): Point | undefined {
  if (year === 0 || month > 24 || (month > 12 && month < 21)) return undefined
  if (month === 0) return { year }
  return day > 0 && day <= 31 && month <= 12 ? { year, month, day } : { year, month }
}

/** Reads '2019', '2019-03', '2019-03-05T…', '20190305', '2019/03/05/other' (RIS), '3/15/2019' and '15.03.2019'. */
function numericPoint(text: string): Point | undefined {
  const iso = /^(-?\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:T.*)?$/.exec(text)
  if (iso) return point(Number(iso[1]), Number(iso[2] ?? 0), Number(iso[3] ?? 0))
  const compact = /^((?:1[5-9]|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)$/.exec(text)
  if (compact) return point(Number(compact[1]), Number(compact[2]), Number(compact[3]))
  const slashes = /^(\d{4})\/(\d{0,2})(?:\/(\d{0,2}))?(?:\/([^/]*))?$/.exec(text)
  if (slashes) {
    const [, year, month = '', day = '', rest = ''] = slashes
    if (Number(month) === 0 && /[a-z]/i.test(rest)) return wordPoint(`${year} ${rest}`)
    return point(Number(year), Number(month), Number(day))
  }
  const last = /^(\d{1,2})([./])(?:(\d{1,2})\2)?(\d{4})$/.exec(text)
  if (!last) return undefined
  const [, first, separator, second, year] = last
  if (second === undefined) return point(Number(year), Number(first))
  // A date with dots, or with a first number above 12, begins with the day.
  const dayFirst = separator === '.' || Number(first) > 12
  return dayFirst
    ? point(Number(year), Number(second), Number(first))
    : point(Number(year), Number(first), Number(second))
}

function readWord(word: string): [part?: keyof Point, value?: number] {
  if (/^\d+(?:st|nd|rd|th)?$/.test(word)) {
    const number = Number.parseInt(word, 10)
    if (number > 999 && number < 2200) return ['year', number]
    return number > 0 && number <= 31 ? ['day', number] : []
  }
  const month = monthOf(word) || seasonOf(word)
  return month > 0 ? ['month', month] : []
}

/** Reads a year, a month or season in words, and a day, in any order; missing parts are taken from `known`. */
function wordPoint(text: string, known?: Partial<Point>): Point | undefined {
  const own: Partial<Point> = {}
  for (const word of text.split(/[\s,./-]+/).filter(Boolean)) {
    const [part, value] = readWord(word)
    // A part that occurs twice belongs to a range.
    if (!part || own[part] !== undefined) return undefined
    own[part] = value
  }
  const { year, month, day } = { ...known, ...own }
  if (year === undefined) return undefined
  // '07 2006' has a month and no day.
  return month === undefined && day !== undefined ? (day <= 12 ? point(year, day) : undefined) : point(year, month, day)
}

const readPoint = (text: string, known?: Partial<Point>) => numericPoint(text) ?? wordPoint(text, known)

/**
 * Reads a range of two points in time. A part that is written once applies to both points: '2019 Mar-Apr', 'Mar-Apr 2019',
 * '2019 Mar 5-12', '5-12 March 2019'.
 */
function readRange(text: string): Point[] | undefined {
  const iso = /^(-?\d{4}[\d-]*)\/(-?\d{4}[\d-]*|\.\.)?$/.exec(text)
  const [left, right] = iso ? [iso[1]!, iso[2] ?? '..'] : text.split(/\s*(?:--|[-\u2013\u2014]|\bto\b)\s*/)
  if (left === undefined || right === undefined) return undefined
  if (iso && right === '..') return onlyValid([readPoint(left)])
  const lastYear = /\b\d{4}\b/.exec(right)?.[0]
  // A day without a month has the month that the right part names, and is not itself a month.
  const month = right
    .match(/\p{L}{3,}/gu)
    ?.map(monthOf)
    .find((found) => found > 0)
  const start = readPoint(left, { ...(lastYear && { year: Number(lastYear) }), ...(month && { month }) })
  return start && onlyValid([start, readPoint(right, { year: start.year, month: start.month })])
}

const onlyValid = (points: (Point | undefined)[]) => (points.every((one) => one !== undefined) ? points : undefined)

function toDate(points: Point[], circa: boolean): CslDate {
  const season = points.length === 1 && (points[0]!.month ?? 0) > 20 ? points[0]!.month! - 20 : undefined
  const parts = points.map(({ year, month, day }) =>
    month === undefined || month > 20 ? [year] : day === undefined ? [year, month] : [year, month, day],
  )
  return { 'date-parts': parts, ...(season && { season }), ...(circa && { circa }) }
}

/**
 * Reads a date of any reference format: ISO 8601 with ranges and uncertainty, RIS ('2019/03/05/'), PubMed ('2019 Mar-Apr',
 * '2019 Spring'), or words. Of other text with exactly one year, only the year is returned; any other text is literal.
 * Returns undefined for text without a letter or digit.
 */
export function parseDate(source: string): CslDate | undefined {
  const text = source.replaceAll(/\s+/g, ' ').trim()
  if (!/[\p{L}\d]/u.test(text)) return undefined
  const circa = /^(?:ca?\.?|circa|about|~)\s*(?=\d)|[?~%]\]?$/i.test(text)
  const bare = text.replace(/^(?:(?:ca?\.?|circa|about)\s*(?=\d)|[[(©~]\s*)+/i, '').replace(/[\])?~%]+$/, '')
  const single = readPoint(bare)
  if (single) return toDate([single], circa)
  const range = readRange(bare)
  if (range) return toDate(range, circa)
  const years = [...new Set(bare.match(/(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/g))]
  return years.length === 1 ? { 'date-parts': [[Number(years[0])]] } : { literal: text }
}

/**
 * Returns the date from separate fields: a year, a month (a number or words) and a day. Without a month, or if `year` is not
 * four digits, only `year` is parsed. Returns undefined if `year` contains no letter or digit.
 */
export function yearAndMonth(year: string, month: string, day = ''): CslDate | undefined {
  if (!/^\d{4}$/.test(year.trim()) || !month.trim()) return parseDate(year)
  const isNumber = /^\d{1,2}$/.test(month.trim())
  return parseDate(isNumber ? [year, month, day].filter(Boolean).join('-') : `${year} ${month} ${day}`)
}

const pad = (value: number, length = 2) => String(Math.abs(value)).padStart(length, '0')
const isoPoint = ([year = 0, ...rest]: readonly number[]) =>
  [`${year < 0 ? '-' : ''}${pad(year, 4)}`, ...rest.map((one) => pad(one))].join('-')

const fallback = (date: CslDate) => date.literal ?? date.raw ?? ''

/**
 * Returns the date in ISO 8601-2: '2019-03-05', '2019-03/2019-04', '2019-21' (spring), '2019~' (about). For a date in words,
 * returns the words. Returns '' for an empty date.
 */
export function isoDate(date: CslDate): string {
  const parts = date['date-parts']
  if (!parts) return fallback(date)
  const season = date.season && parts.length === 1 ? `-${20 + date.season}` : ''
  return `${parts.map(isoPoint).join('/')}${season}${date.circa ? '~' : ''}`
}

/**
 * Returns the date as PubMed writes it: '2019 Mar 5', '2019 Mar-Apr', '2019 Spring'. For other dates, such as a range of years,
 * returns the result of `isoDate`: ISO 8601-2, else the words of the date.
 */
export function wordDate(date: CslDate): string {
  const [start, end] = date['date-parts'] ?? []
  if (!start || date.circa) return isoDate(date)
  if (date.season && !end) return `${start[0]} ${SEASON_NAMES[date.season - 1]}`
  const words = [start[0], start[1] && MONTH_NAMES[start[1] - 1], start[2]].filter(Boolean).join(' ')
  if (!end) return words
  const isMonths = start.length === 2 && end.length === 2 && start[0] === end[0]
  return isMonths ? `${words}-${MONTH_NAMES[end[1]! - 1]}` : isoDate(date)
}

/** Returns the year of a date, or undefined. */
export const yearOf = (date: CslDate | undefined) => date?.['date-parts']?.[0]?.[0]
