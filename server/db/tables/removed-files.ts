import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/**
 * Stored files that no row refers to and that are to be deleted. A deleted row adds its file. An upload adds its file before it
 * stores the file, and removes it from this table when it inserts the row of the file. Only the server reads and writes the
 * table.
 */
export const removedFiles = pgTable('removed_files', {
  key: text('key').primaryKey(),
  created_at: isoTime('created_at')
    .notNull()
    .default(sql`now()`),
  /** The time from which the file may be deleted. For a file of a running upload, it is later than the end of any upload. */
  due_at: isoTime('due_at')
    .notNull()
    .default(sql`now()`),
})
