import { z } from 'zod'

/** A date as YYYY-MM-DD. The year 0 is refused: JavaScript accepts it, but PostgreSQL does not. */
export const calendarDay = z.iso
  .date()
  .refine((date) => !date.startsWith('0000'), 'The year 0 does not exist. Enter another date.')

/** A time such as 2024-05-01T12:00:00Z, or with another offset. In UTC its year must be 1 to 9999, as for `calendarDay`. */
export const instant = z.iso.datetime({ offset: true }).refine((time) => {
  const year = new Date(time).getUTCFullYear()
  return year >= 1 && year <= 9999
})
