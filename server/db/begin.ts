import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pool, PoolClient } from 'pg'
import * as tables from './tables/index.ts'

/** Drizzle on the connection of a transaction: the only access of rooms to the database. */
export type Tx = Omit<NodePgDatabase<typeof tables>, 'transaction'>

/** No connection, or none that began a transaction. The cause is the error of `pg`. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
}

/** Drizzle on each connection of a pool: its creation reads all tables. */
const onConnection = new WeakMap<PoolClient, Tx>()

/**
 * Begins a transaction on a connection of the pool. `first` is a statement without parameters, which is sent with BEGIN, so that
 * the database answers both at once. If it fails, nothing runs on this connection. Throws NoConnection.
 */
export async function begin(pool: Pool, first: string | undefined): Promise<{ client: PoolClient; tx: Tx }> {
  let client: PoolClient | undefined
  try {
    client = await pool.connect()
    const tx = onConnection.get(client) ?? drizzle(client, { schema: tables })
    onConnection.set(client, tx)
    await tx.execute(sql.raw(first === undefined ? 'begin' : `begin; ${first}`))
    return { client, tx }
  } catch (error) {
    client?.release(true)
    throw new NoConnection('No database connection was available.', { cause: error })
  }
}
