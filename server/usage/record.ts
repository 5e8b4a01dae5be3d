import { type AiCall, callCost } from '#server/ai/index.ts'
import { asSystem, asSystemWithoutWaiting } from '#server/db/client.ts'
import { currentRequest } from '#server/lib/request-context.ts'
import { findSetPrice } from './price-queries.ts'
import { insertCall } from './queries.ts'

/**
 * Records a call of a model and returns its cost in US dollars: 0 for a free call, else by the price that an admin set, the
 * list price or the default rate. `estimated` is true if the numbers of tokens are estimates. Runs without row-level security.
 * A free call is committed without waiting for the disk.
 */
export async function recordAiCall({ estimated, free, ...call }: AiCall): Promise<{ cost_usd: number }> {
  const inTransaction = free ? asSystemWithoutWaiting : asSystem
  return inTransaction(async (tx) => {
    const price = free ? null : await findSetPrice(tx, call.model)
    const cost_usd = free ? 0 : callCost(call.model, call.tokens_in, call.tokens_out, price)
    await insertCall(tx, { ...call, cost_usd, tokens_estimated: estimated, key_id: currentRequest()?.key ?? null })
    return { cost_usd }
  })
}
