import { Client } from 'pg'
import { inDatabase } from './database.ts'
import type { TestServer } from './server.ts'

/** A transaction of a test. Its locks make statements of the server wait, which forces an order of concurrent requests. */
export interface OpenTransaction {
  query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  /**
   * Returns how many connections wait for this transaction, or for a connection that waits for it, with a statement that
   * contains `statement`. Other statements of the server, such as those of the search index, can wait too.
   */
  countWaiting: (statement: RegExp) => Promise<number>
  /** Commits and closes the connection. */
  commit: () => Promise<void>
}

const WAITING = `with recursive waiting (pid) as (
    select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))
    union select a.pid from pg_stat_activity a join waiting w on w.pid = any (pg_blocking_pids(a.pid))
  ) select query from waiting join pg_stat_activity using (pid)`

/**
 * Calls `work` with an open transaction of the owner of the database, which is rolled back at the end if `work` does not commit
 * it. The database must be a PostgreSQL server, because the embedded database has one connection.
 */
export async function withTransaction<T>(
  server: Pick<TestServer, 'dataDir' | 'databaseUrl'>,
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: server.databaseUrl })
  await client.connect()
  let isOpen = true
  const query: OpenTransaction['query'] = async (text, values) =>
    (await client.query<Record<string, unknown>>(text, values)).rows
  try {
    await query('begin')
    const [{ pid }] = (await query('select pg_backend_pid() as pid')) as [{ pid: number }]
    return await work({
      query,
      countWaiting: async (statement) => {
        const waiting = await inDatabase(server, WAITING, [pid])
        return waiting.filter(({ query }) => statement.test(String(query))).length
      },
      commit: async () => {
        isOpen = false
        await query('commit')
        await client.end()
      },
    })
  } finally {
    if (isOpen) await client.end()
  }
}
