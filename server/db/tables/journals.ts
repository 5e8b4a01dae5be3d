import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'

/** The journal catalogue, shared by all. `added_by` is set on journals that a user typed: admins see that mark. */
export const journals = pgTable(
  'journals',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    publisher: text('publisher'),
    issn_l: text('issn_l'),
    works_count: integer('works_count'),
    citations_count: integer('citations_count'),
    is_open_access: boolean('is_open_access'),
    rss_feed_url: text('rss_feed_url'),
    homepage_url: text('homepage_url'),
    description: text('description'),
    h_index: integer('h_index'),
    i10_index: integer('i10_index'),
    openalex_id: text('openalex_id').unique(),
    works_api_url: text('works_api_url'),
    last_updated: isoTime('last_updated'),
    added_by: text('added_by').references(() => user.id, { onDelete: 'set null' }),
    user_added: boolean('user_added').notNull().default(false),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    updated_at: isoTime('updated_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [index('journals_name').on(sql`lower(${table.name})`)],
)
