import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type { ClientBase } from 'pg'
import { ensureAppRole, ROLE_IN_MIGRATIONS } from './app-role.ts'
import { INSUFFICIENT_PRIVILEGE, isRefusal } from './refusals.ts'
import { StartError } from '#server/lib/start-error.ts'
import { version } from '#server/lib/version.ts'
import { ensureRequirements, ownershipError } from './requirements.ts'
import type { ReportRows } from './fill-references.ts'
import { ROW_STEPS } from './row-steps.ts'

const FOLDER = fileURLToPath(new URL('migrations', import.meta.url))

interface Journal {
  entries: { tag: string; when: number }[]
}

/**
 * Returns the migrations that this version of Lectern contains, oldest first. `when` is a Unix time in milliseconds, which
 * identifies the migration in the table `drizzle.__drizzle_migrations`.
 */
export const journal = () => (JSON.parse(readFileSync(join(FOLDER, 'meta/_journal.json'), 'utf8')) as Journal).entries

/**
 * Applies the pending migrations, up to `last` if it is given. All migrations run in one transaction; only a migration with a
 * row step (row-steps.ts) begins a new transaction after this step. `report` receives the progress of the row steps. Returns
 * the name of the role of requests, which replaces `lectern_app` in the migration files. Throws a StartError for an error that
 * an operator can fix.
 */
export async function applyMigrations(
  client: ClientBase,
  last?: string,
  report: ReportRows = () => undefined,
): Promise<string> {
  const end = last === undefined ? undefined : journal().find(({ tag }) => tag === last)?.when
  if (last !== undefined && end === undefined) throw new Error(`There is no migration ${last}.`)
  await ensureRequirements(client)
  const role = await ensureAppRole(client)
  try {
    await applyPending(client, role, report, end)
  } catch (error) {
    throw isRefusal(error, INSUFFICIENT_PRIVILEGE) ? await ownershipError(client, error) : error
  }
  return role
}

async function applyPending(client: ClientBase, role: string, report: ReportRows, end = Infinity): Promise<void> {
  await client.query('create schema if not exists drizzle')
  await client.query(
    `create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
  )
  const { rows } = await client.query<{ latest: string | null }>(
    'select max(created_at)::text as latest from drizzle.__drizzle_migrations',
  )
  const latest = Number(rows[0]!.latest ?? -1)
  if (latest > journal().at(-1)!.when)
    throw new StartError(
      `The database has the schema of a newer version than ${version}. Start that version, or restore a backup of this one into an empty database.`,
    )
  const pending = readMigrationFiles({ migrationsFolder: FOLDER }).filter(
    ({ folderMillis }) => folderMillis > latest && folderMillis <= end,
  )
  const steps = new Map(journal().flatMap(({ tag, when }) => (tag in ROW_STEPS ? [[when, ROW_STEPS[tag]!]] : [])))
  const starts = pending.flatMap(({ folderMillis }, at) => (steps.has(folderMillis) ? [at] : []))
  const groups = [0, ...starts].map((start, at) => pending.slice(start, starts[at] ?? pending.length))
  for (const group of groups) {
    if (group[0]) await steps.get(group[0].folderMillis)?.(client, report)
    await applyTogether(client, role, group)
  }
}

async function applyTogether(client: ClientBase, role: string, migrations: MigrationMeta[]): Promise<void> {
  await client.query('begin')
  try {
    for (const { sql, hash, folderMillis } of migrations) {
      for (const statement of sql)
        await client.query(statement.replaceAll(new RegExp(`\\b${ROLE_IN_MIGRATIONS}\\b`, 'g'), role))
      await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
        hash,
        folderMillis,
      ])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
