import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'

/** Citation styles that admins added. Every signed-in user reads them. */
export const citationStyles = pgTable(
  'citation_styles',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The id of the style in its file, a URL. */
    style_id: text('style_id').notNull(),
    title: text('title').notNull(),
    /** The text of the file. */
    xml: text('xml').notNull(),
    bytes: integer('bytes').notNull(),
    /** The style that a dependent style refers to: the id of a built-in style, or the `style_id` of another row. */
    parent: text('parent'),
    /** The language of the style. */
    locale: text('locale'),
    added_by: text('added_by').references(() => user.id, { onDelete: 'set null' }),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [uniqueIndex('citation_styles_style_id').on(table.style_id)],
)
