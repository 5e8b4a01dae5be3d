import { DEFAULT_PRICE, listPrice, priceNames } from '#server/ai/index.ts'
import { recordAudit } from '#server/audit/index.ts'
import { asAdmin, asSystem, type Tx } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import { refuseStaleValue } from '#server/lib/stale-change.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import type { Actor } from '#server/db/actor.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import type { ModelPrice, PriceInput } from '#shared/contract/usage.ts'
import {
  closest,
  daysOfModel,
  deletePrice,
  findSetPrices,
  listPricedModels,
  listSetPrices,
  lockPrices,
  repriceDay,
  type SetPrice,
  usedModels,
  writePrice,
} from './price-queries.ts'

/** Returns whether a model runs on this server: such models are free, even if a price is set. */
export const isFree = (model: string) => model === BUILT_IN_MODEL.id || model.startsWith(`${BUILT_IN_MODEL.id}/`)

/**
 * Returns the current price of a model, and its source: 'free', 'set' by an admin, 'list' price of the provider, or 'default'.
 * `set` has the prices that admins set, also for other names of the model.
 */
export function priceOf(model: string, set: readonly SetPrice[]): ModelPrice {
  if (isFree(model)) return { model, dollars_in: 0, dollars_out: 0, source: 'free', is_set: false }
  const found = closest(priceNames(model), set)
  if (found) return { ...found, model, source: 'set', is_set: found.model === model.toLowerCase() }
  const listed = listPrice(model)
  return { model, ...(listed ?? DEFAULT_PRICE), source: listed ? 'list' : 'default', is_set: false }
}

/** Returns a slice of the prices: first the prices that admins set, then the prices of all other models that were called. */
export const listPrices = (actor: Actor, slice: Slice): Promise<Listed<ModelPrice>> =>
  asAdmin(actor, async (tx) => {
    const { data: models, count } = await listPricedModels(tx, slice)
    const set = await findSetPrices(
      tx,
      models.map(({ model }) => model),
    )
    const data = models.map(({ model, is_set }): ModelPrice => {
      const own = is_set ? set.find((price) => price.model === model) : undefined
      return own ? { ...own, source: 'set', is_set: true } : priceOf(model, set)
    })
    return { data, count }
  })

/**
 * Sets the price of a model for its future calls and, with `reprice`, also for its past calls. Throws 'changed' if the price is
 * not `seen`, the value that the admin saw before the change.
 */
export async function setPrice(actor: Actor, wanted: PriceInput): Promise<ModelPrice> {
  const { reprice, seen, ...given } = wanted
  const price = { ...given, model: given.model.toLowerCase() }
  const affected = await asAdmin(actor, async (tx) => {
    await lockPrices(tx)
    const set = (await listSetPrices(tx)).find(({ model }) => model === price.model)
    refuseStaleValue('price', set ? dollarsOf(set) : null, dollarsOf(price), seen)
    const models = await modelsUnder(tx, price.model, price)
    await writePrice(tx, price)
    await recordAudit(tx, actor, {
      action: 'price.changed',
      subjectId: price.model,
      subject: price.model,
      details: { dollars_in: price.dollars_in, dollars_out: price.dollars_out, earlier_calls_too: reprice },
    })
    return models
  })
  if (reprice) await repriceModels(affected)
  return { ...price, source: 'set', is_set: true }
}

const dollarsOf = ({ dollars_in, dollars_out }: SetPrice) => ({ dollars_in, dollars_out })

/**
 * Removes the price that an admin set for a model, so that the list price or the default rate applies. With `reprice`, also
 * recalculates past calls. Throws 'not_found'.
 */
export async function removePrice(actor: Actor, name: string, reprice: boolean): Promise<void> {
  const model = name.toLowerCase()
  const affected = await asAdmin(actor, async (tx) => {
    await lockPrices(tx)
    const models = await modelsUnder(tx, model)
    if (!(await deletePrice(tx, model))) throw notFound('Price')
    await recordAudit(tx, actor, { action: 'price.deleted', subjectId: model, subject: model })
    return models
  })
  if (reprice) await repriceModels(affected)
}

/**
 * Returns the models that were called and whose price is stored under this name. These are also versions of the model, and
 * names with a maker ('openai/…').
 */
async function modelsUnder(tx: Tx, name: string, added?: SetPrice): Promise<string[]> {
  const set = [...(await listSetPrices(tx)).filter((price) => price.model !== name), ...(added ? [added] : [])]
  const all = added ? set : [...set, { model: name, dollars_in: 0, dollars_out: 0 }]
  return (await usedModels(tx)).filter((model) => !isFree(model) && closest(priceNames(model), all)?.model === name)
}

/**
 * Recalculates the cost of all calls of these models. Uses a short transaction for each day, because there can be a million
 * calls, and requests of other users must not wait.
 */
async function repriceModels(models: readonly string[]): Promise<void> {
  for (const model of models) {
    const { days, price } = await asSystem(async (tx) => ({
      days: await daysOfModel(tx, model),
      price: closest(priceNames(model), await listSetPrices(tx)),
    }))
    for (const day of days) await asSystem((tx) => repriceDay(tx, model, day, price))
  }
}
