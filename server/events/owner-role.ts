import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/**
 * Runs `work` as the database role that owns the tables, then restores the former role. Row-level security does not apply to
 * `work`, even if it applies to the rest of the transaction. Use it only for internal data of the server (queue, events), never
 * for data that a caller requests.
 */
export async function withOwnerRole<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const { rows } = await tx.execute<{ role: string }>(
    sql`select current_setting('role') as role, set_config('role', 'none', true)`,
  )
  const result = await work()
  // Skipped after an error: the transaction then rolls back, and its role with it.
  await tx.execute(sql`select set_config('role', ${rows[0]!.role}, true)`)
  return result
}
