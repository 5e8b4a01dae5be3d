import { type AiCall, callCost } from '#server/ai/index.ts'
import { asSystem } from '#server/db/client.ts'
import { findSetPrice } from './price-queries.ts'
import { insertCall } from './queries.ts'

/** Records a model call at the set price, as the server itself. */
export async function recordAiCall({ estimated, free, ...call }: AiCall): Promise<{ cost_usd: number }> {
  return asSystem(async (tx) => {
    const price = free ? null : await findSetPrice(tx, call.model)
    const cost_usd = free ? 0 : callCost(call.model, call.tokens_in, call.tokens_out, price)
    await insertCall(tx, { ...call, cost_usd, tokens_estimated: estimated })
    return { cost_usd }
  })
}
