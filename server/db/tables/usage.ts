import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { BUDGET_ROLES } from '#shared/contract/project-budgets.ts'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'
import { documents } from './documents.ts'
import { apiKeys } from './keys.ts'
import { projects } from './projects.ts'

/** One row per model call, including failed calls and calls of the built-in models. Costs are in US dollars. */
export const aiCalls = pgTable(
  'ai_calls',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    user_id: text('user_id').references(() => user.id, { onDelete: 'set null' }),
    document_id: uuid('document_id').references(() => documents.id, { onDelete: 'set null' }),
    /** The project at the time of the call. The costs of the call count for its budget. */
    project_id: uuid('project_id').references(() => projects.id, { onDelete: 'set null' }),
    /** The API key of the request; null if the request had no key. */
    key_id: uuid('key_id').references(() => apiKeys.id, { onDelete: 'set null' }),
    purpose: text('purpose', {
      enum: ['analysis', 'answer', 'embedding', 'ocr', 'recommendation', 'trial'],
    }).notNull(),
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
    // The id makes the order unique, so that an export can continue at a row.
    index('ai_calls_created').on(table.created_at, table.id),
    index('ai_calls_user').on(table.user_id, table.created_at),
    // For the foreign key: deleting a document finds its calls.
    index('ai_calls_document').on(table.document_id),
    index('ai_calls_project').on(table.project_id, table.created_at),
    index('ai_calls_key')
      .on(table.key_id, table.created_at)
      .where(sql`key_id is not null`),
  ],
)

/**
 * Daily sums of model calls (UTC) by user, model and purpose. Triggers on `ai_calls` write them. Totals, charts and budgets
 * read these few thousand rows instead of all calls. `person` is '' for deleted accounts.
 */
export const aiUsageDaily = pgTable(
  'ai_usage_daily',
  {
    day: date('day', { mode: 'string' }).notNull(),
    person: text('person').notNull(),
    model: text('model').notNull(),
    purpose: text('purpose').notNull(),
    calls: bigint('calls', { mode: 'number' }).notNull(),
    failed: bigint('failed', { mode: 'number' }).notNull(),
    tokens_in: bigint('tokens_in', { mode: 'number' }).notNull(),
    tokens_out: bigint('tokens_out', { mode: 'number' }).notNull(),
    cost_usd: doublePrecision('cost_usd').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.person, table.model, table.purpose] }),
    index('ai_usage_daily_person').on(table.person, table.day),
  ],
)

/** Prices that an admin set, in dollars per million tokens. A model without a row has the list price, or the default rate. */
export const aiPrices = pgTable('ai_prices', {
  model: text('model').primaryKey(),
  dollars_in: doublePrecision('dollars_in').notNull(),
  dollars_out: doublePrecision('dollars_out').notNull(),
  updated_at: isoTime('updated_at')
    .notNull()
    .default(sql`now()`),
})

/**
 * Monthly budgets (UTC): for the installation, for every user, or for one user. The budget for one user takes precedence over
 * the budget for every user.
 */
export const aiBudgets = pgTable(
  'ai_budgets',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    scope: text('scope', { enum: ['installation', 'everyone', 'person'] }).notNull(),
    user_id: text('user_id').references(() => user.id, { onDelete: 'cascade' }),
    dollars: doublePrecision('dollars').notNull(),
    updated_at: isoTime('updated_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [unique('ai_budgets_one').on(table.scope, table.user_id).nullsNotDistinct()],
)

/**
 * Monthly budgets (UTC) that project owners set. If `role` is null, the budget is for the whole project; otherwise it is for
 * each member with this role.
 */
export const projectBudgets = pgTable(
  'project_budgets',
  {
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    role: text('role', { enum: BUDGET_ROLES }),
    dollars: doublePrecision('dollars').notNull(),
  },
  (table) => [unique('project_budgets_one').on(table.project_id, table.role).nullsNotDistinct()],
)
