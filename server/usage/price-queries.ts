import { and, eq, inArray, sql } from 'drizzle-orm'
import { callCost, type Price, priceNames } from '#server/ai/index.ts'
import type { Tx } from '#server/db/client.ts'
import { aiCalls, aiPrices, aiUsageDaily } from '#server/db/tables/usage.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'

export type SetPrice = Price & { model: string }

const columns = { model: aiPrices.model, dollars_in: aiPrices.dollars_in, dollars_out: aiPrices.dollars_out }

/**
 * Returns the price that an admin set for a model; null if there is none. A model has several names, and the price of the most
 * specific name is used.
 */
export async function findSetPrice(tx: Tx, model: string): Promise<SetPrice | null> {
  const names = priceNames(model)
  return closest(names, await tx.select(columns).from(aiPrices).where(inArray(aiPrices.model, names)))
}

/** Returns the price of the first name in `names` that has one, or null. */
export function closest(names: readonly string[], prices: readonly SetPrice[]): SetPrice | null {
  for (const name of names) {
    const found = prices.find((price) => price.model === name)
    if (found) return found
  }
  return null
}

/**
 * Returns the prices that admins set for these models. A price may be stored under a shorter name of a model, such as its name
 * without a version: see priceNames.
 */
export const findSetPrices = (tx: Tx, models: readonly string[]): Promise<SetPrice[]> =>
  models.length === 0
    ? Promise.resolve([])
    : tx
        .select(columns)
        .from(aiPrices)
        .where(inArray(aiPrices.model, models.flatMap(priceNames)))

/**
 * Returns a slice of the models in the list of prices: first the models with a price that an admin set, then all other models
 * that were called.
 */
export async function listPricedModels(
  tx: Tx,
  { limit, offset }: Slice,
): Promise<Listed<{ model: string; is_set: boolean }>> {
  const models = sql`(
    select model, true as is_set from ai_prices
    union all
    select distinct model, false from ai_usage_daily used
      where not exists (select 1 from ai_prices price where price.model = lower(used.model))
  ) models`
  const { rows } = await tx.execute<{ model: string; is_set: boolean }>(
    sql`select model, is_set from ${models} order by is_set desc, model collate "C" limit ${limit ?? null} offset ${offset}`,
  )
  const total = await tx.execute<{ count: number }>(sql`select count(*)::int as count from ${models}`)
  return { data: rows, count: total.rows[0]!.count }
}

/** Returns all prices that admins set, by model. */
export const listSetPrices = (tx: Tx): Promise<SetPrice[]> => tx.select(columns).from(aiPrices).orderBy(aiPrices.model)

/** Locks the prices that admins set until the transaction ends, so that other transactions that change them wait. */
export async function lockPrices(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern:prices'))`)
}

/** Sets the price of a model, or replaces it. */
export async function writePrice(tx: Tx, price: SetPrice): Promise<void> {
  const { dollars_in, dollars_out } = price
  await tx
    .insert(aiPrices)
    .values(price)
    .onConflictDoUpdate({ target: aiPrices.model, set: { dollars_in, dollars_out, updated_at: sql`now()` } })
}

/** Deletes the price that an admin set for a model. Returns false if there was none. */
export async function deletePrice(tx: Tx, model: string): Promise<boolean> {
  return (await tx.delete(aiPrices).where(eq(aiPrices.model, model)).returning({ model: aiPrices.model })).length > 0
}

/** Lists every model that was called. */
export async function usedModels(tx: Tx): Promise<string[]> {
  return (await tx.selectDistinct({ model: aiUsageDaily.model }).from(aiUsageDaily)).map(({ model }) => model)
}

/** Lists the days on which a model was called. */
export async function daysOfModel(tx: Tx, model: string): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ day: aiUsageDaily.day })
    .from(aiUsageDaily)
    .where(eq(aiUsageDaily.model, model))
    .orderBy(aiUsageDaily.day)
  return rows.map(({ day }) => day)
}

/**
 * Recalculates the cost of a model's calls on one day in UTC. `price` is the price that an admin set; if it is null, the list
 * price or the default rate applies. A trigger updates the daily sums.
 */
export async function repriceDay(tx: Tx, model: string, day: string, price: Price | null): Promise<void> {
  const one = (tokensIn: number, tokensOut: number) => callCost(model, tokensIn, tokensOut, price)
  await tx
    .update(aiCalls)
    .set({
      cost_usd: sql`${aiCalls.tokens_in} * ${one(1, 0)}::double precision + ${aiCalls.tokens_out} * ${one(0, 1)}::double precision`,
    })
    .where(
      and(
        eq(aiCalls.model, model),
        sql`${aiCalls.created_at} >= ${day}::date::timestamp at time zone 'UTC'`,
        sql`${aiCalls.created_at} < (${day}::date + 1)::timestamp at time zone 'UTC'`,
      ),
    )
}
