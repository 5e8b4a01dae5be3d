import { Pool } from 'pg'

/** Idle time after which a connection is closed. */
const IDLE_MS = 10_000

const pools = new Map<string, Pool>()

/**
 * Runs one statement on a PostgreSQL server and returns the rows. This process reuses its connections, because a new connection
 * takes twenty times the processor time of a short statement. Concurrent statements use separate connections. Do not change
 * session settings: later statements can use the same connection.
 */
export async function queryAt(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  let pool = pools.get(url)
  if (!pool) {
    pool = new Pool({ connectionString: url, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true })
    // The pool removes a connection that has ended, for example because its database was dropped.
    pool.on('error', () => undefined)
    pools.set(url, pool)
  }
  return (await pool.query<Record<string, unknown>>(text, values)).rows
}
