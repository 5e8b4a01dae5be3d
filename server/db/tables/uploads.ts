import { sql } from 'drizzle-orm'
import { boolean, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'

/** An upload of one or more files, as the user sees it. The automatic processing of its documents can be paused as a whole. */
export const uploads = pgTable(
  'uploads',
  {
    /** The id, which the client chooses. */
    id: uuid('id').notNull(),
    owner_id: text('owner_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** While true, the automatic jobs of the upload's documents do not start. */
    is_paused: boolean('is_paused').notNull().default(false),
    /**
     * The time since which the processing is not paused: the start of the upload, or the time at which a user last resumed it.
     */
    running_since: isoTime('running_since')
      .notNull()
      .default(sql`now()`),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.id, table.owner_id] })],
)
