import type { ClientBase, PoolClient } from 'pg'
import { SettingError } from '#server/lib/dot-env.ts'
import { log } from '#server/lib/log.ts'
import { applyMigrations, journal } from './apply-migrations.ts'
import { database, setTimeouts } from './client.ts'
import type { ReportRows } from './fill-references.ts'
import { ensureOwnSessions } from './sessions.ts'

/** Key of the advisory lock that serializes concurrent starts. The number has no meaning. */
const MIGRATION_LOCK = 71_503_211

/**
 * The class of SQLSTATEs of warnings. The severity of a notice cannot be compared, because it is a word in the language of the
 * database.
 */
const WARNING = '01'

/**
 * Returns a connection of the pool, for the start of a program. Throws a SettingError if DATABASE_URL cannot be used, and a
 * StartError if DATABASE_URL leads to a pooler that can assign a different session to each transaction.
 */
export async function connectAsOperator(): Promise<PoolClient> {
  const client = await database().pool.connect().catch(unreachable)
  await ensureOwnSessions(client).catch((error: unknown) => {
    client.release()
    throw error
  })
  return client
}

/**
 * Waits until no process migrates the schema, and runs `work` before another migration can begin. Returns the result of `work`.
 */
export async function betweenMigrations<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  // The wait can exceed the timeout of requests.
  await client.query('set statement_timeout = 0')
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
  try {
    return await work()
  } finally {
    // Fails in a transaction that an error of `work` has aborted. The end of the connection releases the lock then.
    await client.query('select pg_advisory_unlock_shared($1)', [MIGRATION_LOCK]).catch(() => undefined)
  }
}

/**
 * Updates the schema to the latest migration, or to the migration `last`, and creates the database role to which row-level
 * security applies. When several processes start at once, one migrates and the others wait. `report` receives the progress of
 * steps that change many rows. Warnings of a migration are logged. Throws a SettingError or StartError for an error that an
 * operator can fix.
 */
export async function migrateDatabase(last?: string, report?: ReportRows): Promise<void> {
  const client = await connectAsOperator()
  const warn = ({ code, message }: { code: string | undefined; message: string | undefined }) => {
    if (code?.startsWith(WARNING)) log.warn(message)
  }
  client.on('notice', warn)
  try {
    // A migration of a large table, or the wait for another process, can exceed the timeout of requests.
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    database().appRole = await applyMigrations(client, last, report)
  } finally {
    client.off('notice', warn)
    await client
      .query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
      .then(() => setTimeouts(client))
      .finally(() => client.release())
  }
}

/**
 * Throws the error of the first connection to the database: for DATABASE_URL as a SettingError, for the embedded database
 * unchanged.
 */
function unreachable(error: unknown): never {
  if (database().embedded || !(error instanceof Error)) throw error
  // The error of a connection that failed at several addresses has a code and no message.
  const reason = error.message || (error as NodeJS.ErrnoException).code || error.name
  throw new SettingError(`DATABASE_URL: the database cannot be used: ${reason}.`, { cause: error })
}

/** Returns the names of all migrations that this version of Lectern contains, oldest first. */
export const knownMigrations = (): string[] => journal().map(({ tag }) => tag)

/**
 * Returns the names of the migrations that were applied to the database, oldest first; [] for a new database. A migration that
 * only a newer version of Lectern knows is named by its time in Unix milliseconds.
 */
export async function appliedMigrations(client: ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (!tables[0]!.exists) return []
  const { rows } = await client.query<{ when: string }>(
    'select created_at::text as when from drizzle.__drizzle_migrations order by created_at',
  )
  const names = new Map(journal().map(({ tag, when }) => [String(when), tag]))
  return rows.map(({ when }) => names.get(when) ?? when)
}
