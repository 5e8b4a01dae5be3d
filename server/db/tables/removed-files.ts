import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/**
 * Files that nothing names and that are to be removed from storage: those whose row is gone, and those whose row is still
 * to come, which are taken off the list with it. Written and read by the server alone.
 */
export const removedFiles = pgTable('removed_files', {
  key: text('key').primaryKey(),
  created_at: isoTime('created_at')
    .notNull()
    .default(sql`now()`),
  /** When it goes. For a file whose row is still to come that is later than any upload needs. */
  due_at: isoTime('due_at')
    .notNull()
    .default(sql`now()`),
})
