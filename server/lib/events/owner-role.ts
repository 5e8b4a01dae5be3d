import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/**
 * Runs `work` as the owner of the tables inside a transaction that may be bound by row-level security, and puts the
 * role back. Only for the server's own bookkeeping (queue, events), never for what a caller asks for.
 */
export async function withOwnerRole<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const { rows } = await tx.execute<{ role: string }>(
    sql`select current_setting('role') as role, set_config('role', 'none', true)`,
  )
  const result = await work()
  // After an error the transaction is lost and its role with it.
  await tx.execute(sql`select set_config('role', ${rows[0]!.role}, true)`)
  return result
}
