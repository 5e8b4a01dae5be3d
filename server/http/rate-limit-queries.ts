import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { commitWithoutWaiting, type Tx } from '#server/db/client.ts'
import { rateLimit } from '#server/db/tables/auth.ts'

/** Counts calls under `key` in a window that begins with its first call. Returns the count and that beginning. */
export async function countCall(
  tx: Tx,
  key: string,
  { windowMs, now, calls = 1 }: { windowMs: number; now: number; calls?: number },
) {
  await commitWithoutWaiting(tx)
  const over = sql`${now}::bigint - rate_limit.last_request >= ${windowMs}::bigint`
  const [row] = await tx
    .insert(rateLimit)
    .values({ id: randomUUID(), key, count: calls, lastRequest: now })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: {
        count: sql`case when ${over} then ${calls}::integer else rate_limit.count + ${calls}::integer end`,
        lastRequest: sql`case when ${over} then ${now}::bigint else rate_limit.last_request end`,
      },
    })
    .returning({ count: rateLimit.count, since: rateLimit.lastRequest })
  return row!
}

/** Deletes the count of `key`. */
export async function forgetCalls(tx: Tx, key: string): Promise<void> {
  await tx.delete(rateLimit).where(eq(rateLimit.key, key))
}
