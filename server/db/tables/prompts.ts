import { sql } from 'drizzle-orm'
import { boolean, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/** The prompt library: read by everyone who is signed in, written by admins. At most one is the default. */
export const prompts = pgTable(
  'prompt_library',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    description: text('description'),
    model: text('model').notNull(),
    prompt: text('prompt').notNull(),
    default: boolean('default').notNull().default(false),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    uniqueIndex('prompt_library_one_default')
      .on(table.default)
      .where(sql`${table.default}`),
  ],
)
