import type { CslDate } from '#shared/contract/references.ts'
import { MONTHS, publicationDate, twoDigits } from './dates.ts'

const SEASONS = ['Spring', 'Summer', 'Autumn', 'Winter']

/**
 * Returns a date as text: 'March 04, 2025', 'March 2025', '2025', 'about 2025', 'Spring 2025' or '2024 – 2025'. A date without
 * parts (year, month, day) is returned as it is written. Returns null without a date.
 */
export function dateText(date: CslDate | undefined): string | null {
  const parts = date?.['date-parts']
  if (!date || !parts) return date?.literal ?? date?.raw ?? null
  const season = date.season ? `${SEASONS[date.season - 1]} ` : ''
  return `${date.circa ? 'about ' : ''}${season}${parts.map(partsText).join(' – ')}`
}

function partsText([year = 0, month, day]: number[]): string {
  const written = year < 0 ? `${-year} BC` : String(year)
  if (!month) return written
  if (day && year > 0) return publicationDate([String(year).padStart(4, '0'), ...[month, day].map(twoDigits)].join('-'))
  return `${monthName(month)} ${day ? `${day}, ` : ''}${written}`
}

/** Returns the name of a month from 1 to 12. */
export const monthName = (month: number) => MONTHS[month - 1]!
