import { sql } from 'drizzle-orm'
import { check, integer, pgTable } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/**
 * The start time of the last daily pass over the trash, in one row. A pass permanently deletes only items that were already due
 * at the start of the previous pass. Only the server reads and writes the table.
 */
export const trashPass = pgTable(
  'trash_pass',
  {
    id: integer('id').primaryKey().default(1),
    began_at: isoTime('began_at')
      .notNull()
      .default(sql`now()`),
  },
  () => [check('trash_pass_one_row', sql`id = 1`)],
)
