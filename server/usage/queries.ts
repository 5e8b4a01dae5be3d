import { asOwner } from '#server/db/client.ts'
import { aiCalls } from '#server/db/tables/usage.ts'
import type { AiCall } from '#server/ai/index.ts'

/** Writes one call of a model down, on the server's own account. */
export async function recordAiCall({ estimated, ...call }: AiCall): Promise<void> {
  await asOwner((tx) => tx.insert(aiCalls).values({ ...call, tokens_estimated: estimated }))
}
