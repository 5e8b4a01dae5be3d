import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { database } from './client.ts'

/** Any number: what several processes that start at once wait on. */
const MIGRATION_LOCK = 71_503_211

/** Brings the schema up to date. Several processes may start at once: one migrates, the others wait. */
export async function migrateDatabase(): Promise<void> {
  const client = await database().pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(drizzle(client), { migrationsFolder: fileURLToPath(new URL('migrations', import.meta.url)) })
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).finally(() => client.release())
  }
}
