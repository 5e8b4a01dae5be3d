import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { isoTime, ownerId } from '../columns.ts'
import { user } from './auth.ts'

/** What happened, for an hour: the event stream replays from here after a broken connection. */
export const events = pgTable(
  'events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    owner_id: ownerId().references(() => user.id, { onDelete: 'cascade' }),
    event: text('event').notNull(),
    data: jsonb('data').notNull(),
    created_at: isoTime('created_at').notNull().default(sql`now()`),
  },
  (table) => [index('events_owner').on(table.owner_id, table.id), index('events_created').on(table.created_at)],
)
