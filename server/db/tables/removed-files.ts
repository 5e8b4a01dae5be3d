import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/**
 * Stored files that are to be deleted because no row refers to them. Either the row of a file was deleted, or it is not yet
 * written: writing it removes the file from this list. Only the server reads and writes the table.
 */
export const removedFiles = pgTable('removed_files', {
  key: text('key').primaryKey(),
  created_at: isoTime('created_at')
    .notNull()
    .default(sql`now()`),
  /** From when on the file may be deleted. For a file whose row is not yet written, later than any upload ends. */
  due_at: isoTime('due_at')
    .notNull()
    .default(sql`now()`),
})
