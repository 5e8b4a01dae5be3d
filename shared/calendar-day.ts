import { z } from 'zod'

/** A day as YYYY-MM-DD. The year 0 is one for JavaScript and none for the calendar that the database goes by. */
export const calendarDay = z.iso.date().refine((date) => !date.startsWith('0000'), 'There is no year 0')
