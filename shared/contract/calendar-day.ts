import { z } from 'zod'

/** A date as YYYY-MM-DD. The year 0 is refused: JavaScript accepts it, but PostgreSQL does not. */
export const calendarDay = z.iso
  .date()
  .refine((date) => !date.startsWith('0000'), 'The year 0 does not exist. Enter another date.')
