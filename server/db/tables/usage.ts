import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'
import { documents } from './documents.ts'

/** One row for every call of a model, also failed ones and those of the built-in models. Money in US dollars. */
export const aiCalls = pgTable(
  'ai_calls',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    user_id: text('user_id').references(() => user.id, { onDelete: 'set null' }),
    document_id: uuid('document_id').references(() => documents.id, { onDelete: 'set null' }),
    purpose: text('purpose', { enum: ['analysis', 'answer', 'embedding', 'ocr'] }).notNull(),
    model: text('model').notNull(),
    tokens_in: integer('tokens_in').notNull(),
    tokens_out: integer('tokens_out').notNull(),
    tokens_estimated: boolean('tokens_estimated').notNull().default(false),
    cost_usd: doublePrecision('cost_usd').notNull(),
    milliseconds: integer('milliseconds').notNull(),
    ok: boolean('ok').notNull(),
    error: text('error'),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    index('ai_calls_created').on(table.created_at),
    index('ai_calls_user').on(table.user_id, table.created_at),
  ],
)
