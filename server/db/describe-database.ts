import { databaseFolder, env } from '#server/lib/env.ts'
import { StartError } from '#server/lib/start-error.ts'
import { findAppRole } from './app-role.ts'
import { database, openDatabase } from './client.ts'
import { hasDatabase } from './embedded/has-database.ts'
import { appliedMigrations, knownMigrations } from './migrate.ts'
import { ensureOwnSessions } from './sessions.ts'

/**
 * Describes the configured database in one line for an operator: its version, the version of pgvector, and the number of
 * pending migrations. Changes nothing. Throws an error with the reason if the database cannot be used, for example if the
 * connection may not switch to the restricted role, to which row-level security applies.
 */
export async function describeDatabase(): Promise<string> {
  if (!env.DATABASE_URL && !hasDatabase(databaseFolder()))
    return `none in ${databaseFolder()} yet: the first start creates the embedded database`
  await openDatabase()
  const client = await database().pool.connect()
  try {
    await ensureOwnSessions(client)
    const { rows } = await client.query<{
      version: string
      vector: string | null
      migrated: boolean
      readOnly: boolean
    }>(
      `select current_setting('server_version') as version,
              (select extversion from pg_extension where extname = 'vector') as vector,
              to_regclass('drizzle.__drizzle_migrations') is not null as migrated,
              current_setting('transaction_read_only') = 'on' as "readOnly"`,
    )
    const { version, vector, migrated, readOnly } = rows[0]!
    if (readOnly) throw new StartError(`PostgreSQL ${version} is read-only: a standby, or a server without space.`)
    const name = database().embedded ? 'embedded database' : 'PostgreSQL'
    const about = `${name} ${version}, pgvector ${vector ?? 'not created yet'}`
    if (!migrated) return `${about}, empty: the first start creates the schema`
    const applied = await appliedMigrations(client)
    const pending = knownMigrations().filter((one) => !applied.includes(one)).length
    const role = await findAppRole(client)
    if (pending === 0 && !role.isUsable)
      throw new StartError(`The role ${role.name} cannot be used: the next start prints the SQL to run.`)
    return `${about}, ${pending === 0 ? 'schema current' : `${pending} migrations pending, which the next start applies`}`
  } finally {
    client.release()
  }
}
