import { sql } from 'drizzle-orm'
import { asOwner } from '#server/db/client.ts'
import { user } from '#server/db/tables/auth.ts'
import { documents } from '#server/db/tables/documents.ts'
import { aiCalls } from '#server/db/tables/usage.ts'
import type { AiCall } from '#server/ai/index.ts'

/** Writes one call of a model down, on the server's own account. */
export async function recordAiCall({ estimated, ...call }: AiCall): Promise<void> {
  await asOwner((tx) =>
    tx.insert(aiCalls).values({
      ...call,
      tokens_estimated: estimated,
      // The document or the person may be gone by the time the call ends: what it cost stays.
      document_id: sql`(select id from ${documents} where id = ${call.document_id})`,
      user_id: sql`(select id from ${user} where id = ${call.user_id})`,
    }),
  )
}
