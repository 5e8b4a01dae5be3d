import { sql } from 'drizzle-orm'
import { check, integer, pgTable } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/**
 * The observed clock, in one row. Permanent deletions use `trusted_at`, so that a clock that jumps ahead deletes
 * nothing early. Only the server reads and writes it.
 */
export const clock = pgTable(
  'clock',
  {
    id: integer('id').primaryKey().default(1),
    /** The last trusted time. */
    trusted_at: isoTime('trusted_at').notNull(),
    /** The last reading. */
    latest_at: isoTime('latest_at').notNull(),
    /** The reading after a jump ahead; null while the clock is trusted. */
    doubted_at: isoTime('doubted_at'),
  },
  () => [check('clock_one_row', sql`id = 1`)],
)
