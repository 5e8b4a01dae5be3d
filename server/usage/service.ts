import { asAdmin, asSystem } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { DEFAULT_DOLLARS_PER_TOKEN, type UsageOverview, type UsageQuery } from '#shared/contract/usage.ts'
import { listSetPrices } from './price-queries.ts'
import { priceOf } from './prices.ts'
import {
  countAnalyzed,
  countPeople,
  type Period,
  sumDays,
  sumEverything,
  sumModels,
  sumPeople,
  sumPeriod,
  sumPurposes,
} from './queries.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DEFAULT_DAYS = 30
const PEOPLE_SHOWN = 100

/** Returns the period of a query. The default is the last thirty days, including today. */
export function periodOf({ from, to }: UsageQuery): Period {
  const last = to ?? new Date().toISOString().slice(0, 10)
  const first = from ?? new Date(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  if (first > last) throw new AppError('malformed', 'from: The first day comes after the last one.')
  return { from: first, to: last }
}

/** Returns the tokens and cost of all calls ever made and, for a period, their sums by day, purpose, model and user. */
export async function readUsage(actor: Actor, query: UsageQuery): Promise<UsageOverview> {
  const period = periodOf(query)
  const { total, ...parts } = await asAdmin(actor, async (tx) => {
    const set = await listSetPrices(tx)
    const models = await sumModels(tx, period)
    return {
      total: await sumEverything(tx),
      period: await sumPeriod(tx, period),
      days: await sumDays(tx, period),
      purposes: await sumPurposes(tx, period),
      models: models.map(({ model, ...sums }) => ({ ...sums, price: priceOf(model, set) })),
      people: await sumPeople(tx, period, PEOPLE_SHOWN),
      people_count: await countPeople(tx, period),
    }
  })
  // Documents of other users: an admin can count them, but not read them.
  const documents_analyzed = await asSystem(countAnalyzed)
  return {
    refreshed_at: new Date().toISOString(),
    ...period,
    ...parts,
    total: { ...total, default_cost_usd: total.tokens * DEFAULT_DOLLARS_PER_TOKEN, documents_analyzed },
  }
}

/**
 * Implements the server function fetch-openai-usage: returns the tokens of all calls and the current time. It refreshes
 * nothing, because calls are recorded when they end.
 */
export async function refreshTotals(actor: Actor): Promise<{ total_tokens: number; refreshed_at: string }> {
  const { tokens } = await asAdmin(actor, sumEverything)
  return { total_tokens: tokens, refreshed_at: new Date().toISOString() }
}
