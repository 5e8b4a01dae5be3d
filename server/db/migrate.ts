import type { ClientBase } from 'pg'
import { SettingError } from '#server/lib/env.ts'
import { applyMigrations, journal } from './apply-migrations.ts'
import { database } from './client.ts'

/** Any number: the advisory lock for which processes that start at once wait. */
const MIGRATION_LOCK = 71_503_211

/**
 * Brings the schema up to date, or up to the migration `last` where an older state is wanted, and makes the database ready
 * for `asActor`. Several processes may start at once: one migrates, the others wait.
 */
export async function migrateDatabase(last?: string): Promise<void> {
  const client = await database().pool.connect().catch(unreachable)
  try {
    // A change of a large table, or waiting for another process that makes it, may take longer than a request.
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    database().appRole = await applyMigrations(client, last)
  } finally {
    await client
      .query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
      .then(() => client.query('reset statement_timeout'))
      .finally(() => client.release())
  }
}

/** The first connection of all: what is wrong with it is wrong with the setting, or with the server that it names. */
function unreachable(error: unknown): never {
  if (database().embedded || !(error instanceof Error)) throw error
  // One that has tried several addresses says nothing but its code.
  const reason = error.message || (error as NodeJS.ErrnoException).code || error.name
  throw new SettingError(`DATABASE_URL: the database cannot be used: ${reason}.`, { cause: error })
}

/** The names of all migrations that this version knows, in their order. */
export const knownMigrations = (): string[] => journal().map(({ tag }) => tag)

/** The names of the migrations that the database has had, in their order; one of a newer version has its time for a name. */
export async function appliedMigrations(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ when: string }>(
    'select created_at::text as when from drizzle.__drizzle_migrations order by created_at',
  )
  const names = new Map(journal().map(({ tag, when }) => [String(when), tag]))
  return rows.map(({ when }) => names.get(when) ?? when)
}
