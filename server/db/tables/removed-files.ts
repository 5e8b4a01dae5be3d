import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/** Files that nothing names any more and that are still to be removed from storage. Written and read by the server alone. */
export const removedFiles = pgTable('removed_files', {
  key: text('key').primaryKey(),
  created_at: isoTime('created_at')
    .notNull()
    .default(sql`now()`),
})
