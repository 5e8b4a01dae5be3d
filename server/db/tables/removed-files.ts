import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/**
 * Files without a row that are to be deleted from storage: their row was deleted, or is still to be written, which
 * removes them from this list. Only the server reads and writes it.
 */
export const removedFiles = pgTable('removed_files', {
  key: text('key').primaryKey(),
  created_at: isoTime('created_at')
    .notNull()
    .default(sql`now()`),
  /** When it is deleted. For a file with a future row, later than any upload needs. */
  due_at: isoTime('due_at')
    .notNull()
    .default(sql`now()`),
})
