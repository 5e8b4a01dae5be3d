import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { SavedQuery } from '#shared/contract/saved-searches.ts'
import { isoTime, versions } from '../columns.ts'
import { user } from './auth.ts'
import { projects } from './projects.ts'

/** Searches that users saved in a project, each for its user only. */
export const savedSearches = pgTable(
  'saved_searches',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    created_by: text('created_by')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    query: jsonb('query').$type<SavedQuery>().notNull(),
    /** Whether the user gets a daily e-mail about new papers that match the search. */
    notify: boolean('notify').notNull().default(false),
    /** When the user switched the e-mails on. Papers that were added before this time are not reported. */
    notify_since: isoTime('notify_since'),
    /** The time of the last search for new papers. */
    last_notified_at: isoTime('last_notified_at'),
    /** The ids of the papers that the last e-mails reported. */
    reported: uuid('reported')
      .array()
      .notNull()
      .default(sql`'{}'`),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    ...versions(),
  },
  (table) => [
    index('saved_searches_user').on(table.created_by, table.project_id),
    index('saved_searches_project').on(table.project_id),
    index('saved_searches_due')
      .on(table.last_notified_at)
      .where(sql`${table.notify}`),
  ],
)
