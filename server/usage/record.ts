import { type AiCall, callCost } from '#server/ai/index.ts'
import { asOwner } from '#server/db/client.ts'
import { findSetPrice } from './price-queries.ts'
import { insertCall } from './queries.ts'

/** Writes one call of a model down, on the server's own account, at the price that is set for it. */
export async function recordAiCall({ estimated, free, ...call }: AiCall): Promise<{ cost_usd: number }> {
  return asOwner(async (tx) => {
    const price = free ? null : await findSetPrice(tx, call.model)
    const cost_usd = free ? 0 : callCost(call.model, call.tokens_in, call.tokens_out, price)
    await insertCall(tx, { ...call, cost_usd, tokens_estimated: estimated })
    return { cost_usd }
  })
}
