import { sql } from 'drizzle-orm'
import { boolean, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'

/** An upload of one or more files, as the user sees it: its automatic processing can be paused as a whole. */
export const uploads = pgTable(
  'uploads',
  {
    /** Chosen by the client. */
    id: uuid('id').notNull(),
    owner_id: text('owner_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** The automatic jobs of its documents do not start. */
    is_paused: boolean('is_paused').notNull().default(false),
    /** Since when the processing runs: the start, or the end of the last pause. */
    running_since: isoTime('running_since')
      .notNull()
      .default(sql`now()`),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.id, table.owner_id] })],
)
