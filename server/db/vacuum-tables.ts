import { database, setTimeouts } from './client.ts'

/**
 * Runs VACUUM (ANALYZE) on the tables `names` of the schema `public`, or on all its tables, one after the other. Call it after
 * many writes, so that the planner has current statistics. Do not call it inside a transaction. A large table can take seconds.
 */
export async function vacuumTables(names?: readonly string[]): Promise<void> {
  const client = await database().pool.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', 'public', relname) as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and ($1::text[] is null or relname = any($1))
        order by 1`,
      [names ?? null],
    )
    await client.query('set statement_timeout = 0')
    for (const { name } of rows) await client.query(`vacuum (analyze) ${name}`)
  } finally {
    await setTimeouts(client).finally(() => client.release())
  }
}
