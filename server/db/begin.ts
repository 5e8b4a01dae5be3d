import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pool, PoolClient } from 'pg'

/**
 * Drizzle on the connection of an open transaction, for queries. Functions such as `asActor` create it; they begin and end the
 * transaction.
 */
export type Tx = Omit<NodePgDatabase, 'transaction'>

/** The error when no connection was available, or BEGIN failed. `cause` is the error of `pg`. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
}

/** A transaction that has begun. */
interface Begun {
  tx: Tx
  /** Commits. Throws if a statement of the transaction has failed: PostgreSQL then rolls back. */
  commit: () => Promise<void>
  /**
   * Rolls back after the error `cause`. Closes the connection if the rollback fails, or if `cause` has an SQLSTATE in OUTDATED.
   */
  rollback: (cause: unknown) => Promise<void>
}

/** The Drizzle instance of each connection of a pool. */
const onConnection = new WeakMap<PoolClient, NodePgDatabase>()

/**
 * SQLSTATEs of a prepared statement that its connection can no longer run: the type of a column changed, or a pooler discarded
 * the statement. Each further use of the prepared statement would also fail.
 */
const OUTDATED = new Set(['0A000', '26000'])

/**
 * Begins a transaction on a connection of the pool, and returns its `tx` with functions that commit it or roll it back. `first`
 * is a statement without parameters that is sent together with BEGIN, which saves a round trip; undefined for none. If no
 * connection is available or a statement fails, closes the connection and throws NoConnection.
 */
export async function begin(pool: Pool, first: string | undefined): Promise<Begun> {
  let client: PoolClient | undefined
  try {
    client = await pool.connect()
    const own = onConnection.get(client) ?? drizzle(client)
    onConnection.set(client, own)
    await own.execute(sql.raw(first === undefined ? 'begin' : `begin; ${first}`))
    return begun(client, own)
  } catch (error) {
    client?.release(true)
    throw new NoConnection('No database connection was available.', { cause: error })
  }
}

function begun(client: PoolClient, own: NodePgDatabase): Begun {
  let isOpen = true
  // Work that continues after its transaction, such as the rest of a failed Promise.all, would run with the rights of the
  // table owner, or within the next transaction of the connection.
  const query = (...args: unknown[]): unknown => {
    if (!isOpen) throw new Error('A statement was sent after the end of its transaction.')
    return client.query(...(args as [string]))
  }
  return {
    tx: drizzle({ query } as unknown as PoolClient),
    commit: async () => {
      isOpen = false
      const { command } = await own.execute(sql`commit`)
      if (command !== 'COMMIT') throw new Error('A transaction with a failed statement cannot be committed.')
      client.release()
    },
    rollback: async (cause) => {
      isOpen = false
      let broken: Error | undefined
      await own.execute(sql`rollback`).catch((failure: Error) => (broken = failure))
      client.release(broken ?? OUTDATED.has(sqlState(cause) ?? ''))
    },
  }
}

/** Returns the SQLSTATE of a failed statement, or undefined. Drizzle puts the driver's error into `cause`. */
export function sqlState(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return (cause as { code?: string } | null)?.code
}
