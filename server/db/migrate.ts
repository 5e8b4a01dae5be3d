import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { ClientBase } from 'pg'
import { SettingError } from '#server/lib/env.ts'
import { database } from './client.ts'

/** Any number: what several processes that start at once wait on. */
const MIGRATION_LOCK = 71_503_211
const FOLDER = fileURLToPath(new URL('migrations', import.meta.url))
const JOURNAL = 'meta/_journal.json'

interface Journal {
  entries: { tag: string; when: number }[]
}

const journal = () => JSON.parse(readFileSync(join(FOLDER, JOURNAL), 'utf8')) as Journal

/**
 * Brings the schema up to date, or up to the migration `last` where an older state is wanted. Several processes may start at
 * once: one migrates, the others wait.
 */
export async function migrateDatabase(last?: string): Promise<void> {
  const folder = last === undefined ? FOLDER : folderUpTo(last)
  const client = await database().pool.connect().catch(unreachable)
  try {
    // A change of a large table, or waiting for another process that makes it, may take longer than a request.
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(drizzle(client), { migrationsFolder: folder })
  } finally {
    await client
      .query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
      .then(() => client.query('reset statement_timeout'))
      .finally(() => client.release())
    if (folder !== FOLDER) rmSync(folder, { recursive: true, force: true })
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
export const knownMigrations = (): string[] => journal().entries.map(({ tag }) => tag)

/** The names of the migrations that the database has had, in their order; one of a newer version has its time for a name. */
export async function appliedMigrations(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ when: string }>(
    'select created_at::text as when from drizzle.__drizzle_migrations order by created_at',
  )
  const names = new Map(journal().entries.map(({ tag, when }) => [String(when), tag]))
  return rows.map(({ when }) => names.get(when) ?? when)
}

/** A copy of the migrations that ends with `last`. */
function folderUpTo(last: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'lectern-migrations-'))
  cpSync(FOLDER, copy, { recursive: true })
  const all = journal()
  const end = all.entries.findIndex(({ tag }) => tag === last)
  if (end === -1) throw new Error(`There is no migration ${last}.`)
  writeFileSync(join(copy, JOURNAL), JSON.stringify({ ...all, entries: all.entries.slice(0, end + 1) }))
  return copy
}
