import { z } from 'zod'
import { calendarDay } from './calendar-day.ts'

/** Purposes of model calls, with their labels on the usage page. */
export const AI_PURPOSES = {
  analysis: 'Analysis',
  answer: 'Chat answers',
  embedding: 'Embeddings',
  ocr: 'OCR',
  recommendation: 'Research',
  trial: 'Prompt trials',
} as const
export type AiPurpose = keyof typeof AI_PURPOSES

/** Prices in US dollars per month: for 1,000 MB of files, and for 1,000 MB of the database. */
export const STORAGE_DOLLARS_PER_1000_MB = 0.021
export const DATABASE_DOLLARS_PER_1000_MB = 0.125
/** Price in US dollars of one token, for a model whose price is unknown. */
export const DEFAULT_DOLLARS_PER_TOKEN = 0.0001

const count = z.number().int()
const dollars = z.number()
const day = calendarDay

/** Period of a usage report: days in UTC, both inclusive. Default: the last 30 days. */
export const usageQuery = z.object({ from: day.optional(), to: day.optional() })
export type UsageQuery = z.infer<typeof usageQuery>

const sums = { calls: count, tokens: count, cost_usd: dollars }

/**
 * Source of a price. 'set': by an admin. 'list': the price list of the maker. 'default': the default rate. 'free': a built-in
 * model.
 */
export const priceSource = z.enum(['set', 'list', 'default', 'free'])
export const modelPrice = z.object({
  model: z.string(),
  dollars_in: dollars.describe('for a million input tokens'),
  dollars_out: dollars.describe('for a million output tokens'),
  source: priceSource,
  is_set: z.boolean().describe('an admin set the price for exactly this name and can remove it'),
})
export type ModelPrice = z.infer<typeof modelPrice>

/** Data of the AI provider page. */
export const usageOverview = z.object({
  refreshed_at: z.string(),
  from: day,
  to: day,
  total: z.object({
    ...sums,
    default_cost_usd: dollars.describe('cost of all tokens at the default rate'),
    since: day.nullable().describe('the first day with a call'),
    documents_analyzed: count,
  }),
  period: z.object({ ...sums, failed: count, tokens_in: count, tokens_out: count }),
  days: z.array(z.object({ day, purpose: z.string(), ...sums })),
  purposes: z.array(z.object({ purpose: z.string(), ...sums })),
  models: z.array(z.object({ ...sums, tokens_in: count, tokens_out: count, price: modelPrice })),
  people: z
    .array(
      z.object({
        user_id: z.string().nullable().describe('null for deleted accounts'),
        email: z.string().nullable(),
        full_name: z.string().nullable(),
        ...sums,
      }),
    )
    .describe('the hundred users with the highest usage'),
  people_count: count,
})
export type UsageOverview = z.infer<typeof usageOverview>

/** Size of files and database, and their cost for a month. */
export const backendUsage = z.object({
  refreshed_at: z.string(),
  storage: z.object({ size_mb: z.number(), files: count, cost_usd: dollars, kinds: z.record(z.string(), z.number()) }),
  database: z.object({
    size_mb: z.number(),
    cost_usd: dollars,
    tables: z.array(z.object({ name: z.string(), size_mb: z.number() })),
  }),
})
export type BackendUsage = z.infer<typeof backendUsage>

const amount = z.number().min(0, 'Enter a price of 0 or more.').max(1_000_000, 'Enter a price of at most 1,000,000.')

/**
 * Body of PUT /api/admin/usage/prices. `reprice` applies the new price also to past calls. With `seen`, the response is 409
 * 'changed' if the set price of the model differs from `seen`.
 */
export const priceInput = z.object({
  model: z.string().trim().min(1, 'Enter a model.').max(200),
  dollars_in: amount,
  dollars_out: amount,
  reprice: z.boolean().default(false),
  seen: z
    .object({ dollars_in: z.number(), dollars_out: z.number() })
    .nullish()
    .describe('the set price that you saw; null for none'),
})
export type PriceInput = z.output<typeof priceInput>
/** `current` in a 409 'changed' response: the price that an admin has set for the model; null if none is set. */
export const currentPrice = z.object({
  price: z.object({ dollars_in: z.number(), dollars_out: z.number() }).nullable(),
})
export const priceRemoval = z.object({
  model: z.string().trim().min(1).max(200),
  reprice: z.enum(['true', 'false']).default('false'),
})

/** The budgets of the installation and of its users for a month, and the amounts spent in this month, in US dollars. */
export const budgets = z.object({
  month: z.string().describe('yyyy-mm, in UTC'),
  installation: z.object({ dollars: dollars.nullable(), spent_usd: dollars }),
  everyone: dollars.nullable().describe('the budget of each person without an individual budget'),
  people: z.array(
    z.object({
      user_id: z.string(),
      email: z.string(),
      full_name: z.string().nullable(),
      dollars: dollars.nullable().describe('individual budget; null if the budget of everyone applies'),
      spent_usd: dollars,
    }),
  ),
})
export type Budgets = z.infer<typeof budgets>

/**
 * Body of PUT /api/admin/usage/budgets. `dollars: null` removes the budget. `person` is an id or an e-mail address. With
 * `seen`, the response is 409 'changed' if the budget differs from `seen`.
 */
export const budgetInput = z
  .object({
    scope: z.enum(['installation', 'everyone', 'person']),
    person: z.string().trim().max(320).nullish(),
    dollars: z
      .number()
      .min(0, 'Enter a budget of 0 or more.')
      .max(10_000_000, 'Enter a budget of at most 10,000,000.')
      .nullable(),
    seen: z.number().nullish().describe('the budget that you saw; null for none'),
  })
  .refine((budget) => budget.scope !== 'person' || Boolean(budget.person), {
    message: 'Enter an e-mail address or an id.',
    path: ['person'],
  })
export type BudgetInput = z.infer<typeof budgetInput>
/** `current` in a 409 'changed' response: the budget that is set; null if none is set. */
export const currentBudget = z.object({ dollars: z.number().nullable() })

/** Query parameters of GET /api/admin/usage/export: totals by day, person, model and purpose, or every single call. */
export const usageExport = usageQuery.extend({
  rows: z.enum(['days', 'calls']).default('days'),
  bom: z.literal('1').optional().describe('start the file with a byte-order mark, for Excel'),
})
