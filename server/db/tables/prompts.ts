import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'

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
    /** Counted by a trigger: a save that changes words or model makes a new version. */
    version: integer('version').notNull().default(1),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    updated_at: isoTime('updated_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    uniqueIndex('prompt_library_one_default')
      .on(table.default)
      .where(sql`${table.default}`),
  ],
)

/**
 * What every prompt has ever said. A trigger writes it and nobody changes it; it outlives the prompt, so that an analysis
 * can always show the words it was made with.
 */
export const promptVersions = pgTable(
  'prompt_versions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    prompt_id: uuid('prompt_id').references(() => prompts.id, { onDelete: 'set null' }),
    version: integer('version').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    model: text('model').notNull(),
    prompt: text('prompt').notNull(),
    saved_by: text('saved_by').references(() => user.id, { onDelete: 'set null' }),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [unique('prompt_versions_of_prompt').on(table.prompt_id, table.version)],
)
