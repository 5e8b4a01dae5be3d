import { Pool } from 'pg'

/** An idle connection is closed after this time. */
const IDLE_MS = 10_000

const pools = new Map<string, Pool>()

/**
 * Runs one statement on a connection to a PostgreSQL server that this process reuses: a new connection takes twenty times the
 * processor time of a short statement. Statements that run at the same time have connections of their own. Do not change
 * settings of the session. Returns the rows.
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
