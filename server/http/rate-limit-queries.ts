import { randomUUID } from 'node:crypto'
import { eq, lt, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { rateLimit } from '#server/db/tables/auth.ts'

/**
 * Adds `calls` to the count of `key`. A window of `windowMs` begins with the first call of the key; a call after its end begins
 * a new window. Returns the count and the start of the window (Unix time in ms). Uses one statement, because most requests are
 * counted. The commit does not wait for the disk (see commitWithoutWaiting).
 */
export async function countCall(
  db: Pick<Tx, 'execute'>,
  key: string,
  { windowMs, now, calls = 1 }: { windowMs: number; now: number; calls?: number },
): Promise<{ count: number; since: number }> {
  const { rows } = await db.execute<{ count: number; since: string }>(sql`
    with quick as materialized (select set_config('synchronous_commit', 'off', true)),
    given as (select ${now}::bigint as now, ${calls}::integer as calls from quick)
    insert into rate_limit as known (id, key, count, last_request)
      select ${randomUUID()}, ${key}, calls, now from given
    on conflict (key) do update set
      count = case when excluded.last_request - known.last_request >= ${windowMs}::bigint then excluded.count
        else known.count + excluded.count end,
      last_request = case when excluded.last_request - known.last_request >= ${windowMs}::bigint
        then excluded.last_request else known.last_request end
    returning count, last_request::text as since`)
  const [row] = rows
  return { count: row!.count, since: Number(row!.since) }
}

/** Deletes the count of `key`. */
export async function forgetCalls(tx: Tx, key: string): Promise<void> {
  await tx.delete(rateLimit).where(eq(rateLimit.key, key))
}

/** Deletes the counts whose window began before `time` (Unix time in ms). */
export async function forgetCallsBefore(tx: Tx, time: number): Promise<void> {
  await tx.delete(rateLimit).where(lt(rateLimit.lastRequest, time))
}
