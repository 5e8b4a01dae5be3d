import { sql } from 'drizzle-orm'
import { check, integer, pgTable } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/**
 * What the server has seen of the clock, in one row: what is removed for good after a time goes by `trusted_at`, so that a
 * clock that jumps ahead removes nothing early. Written and read by the server alone.
 */
export const clock = pgTable(
  'clock',
  {
    id: integer('id').primaryKey().default(1),
    /** Up to here the clock has gone as a clock goes. */
    trusted_at: isoTime('trusted_at').notNull(),
    /** What it said last. */
    latest_at: isoTime('latest_at').notNull(),
    /** What it said when it had jumped ahead; null while it is trusted. */
    doubted_at: isoTime('doubted_at'),
  },
  () => [check('clock_one_row', sql`id = 1`)],
)
