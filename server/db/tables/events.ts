import { sql } from 'drizzle-orm'
import { bigint, customType, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'

/** A 64-bit transaction id. PostgreSQL never uses such an id twice. */
const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

/** Events of the last hour. After a broken connection, the event stream replays the missed events from this table. */
export const events = pgTable(
  'events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    owner_id: text('owner_id').references(() => user.id, { onDelete: 'cascade' }),
    /** The project whose members receive the event. If it is null, only the account `owner_id` receives the event. */
    project_id: uuid('project_id'),
    event: text('event').notNull(),
    data: jsonb('data').notNull(),
    /**
     * The transaction that wrote the row. Readers compare it with a snapshot, because the order of the ids is not the order of
     * the commits.
     */
    xact: xid8('xact')
      .notNull()
      .default(sql`pg_current_xact_id()`),
    /** The time of the insert; `now()` would be the start of the transaction. */
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [
    index('events_owner').on(table.owner_id, table.xact),
    index('events_project').on(table.project_id, table.xact),
    index('events_created').on(table.created_at),
  ],
)
