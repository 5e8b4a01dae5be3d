import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/** One cheap question to each part that lives in the database. */
export const checkQueries = {
  database: async (tx: Tx): Promise<void> => void (await tx.execute(sql`select 1`)),
  queue: async (tx: Tx): Promise<void> => void (await tx.execute(sql`select 1 from pgboss.version`)),
}
