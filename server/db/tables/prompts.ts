import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'

/** The prompt library. Every signed-in user can read it; only admins write it. At most one prompt is the default. */
export const prompts = pgTable(
  'prompt_library',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    description: text('description'),
    model: text('model').notNull(),
    prompt: text('prompt').notNull(),
    default: boolean('default').notNull().default(false),
    /**
     * The number of the current version. A trigger increments it when the name, the description, the prompt or the model
     * changes.
     */
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
 * All versions of prompts. Only a trigger inserts rows, and rows never change. They stay after the deletion of the prompt, so
 * that the text of the prompt of an analysis can always be shown.
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
