import { createReadStream } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { database } from '#server/db/client.ts'
import { appliedMigrations, migrateDatabase } from '#server/db/migrate.ts'
import { vacuumTables } from '#server/db/vacuum-tables.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { storage } from '#server/storage/storage.ts'
import { checkBackup, fileLines } from './check-backup.ts'
import { type FileLine, type Manifest, tableFile } from './manifest.ts'
import {
  beginFilling,
  endFilling,
  hasAccounts,
  insertRows,
  listNames,
  listTables,
  type StoredTable,
} from './queries.ts'
import { readLines } from './read-lines.ts'
import { SECRET_FILE } from './write-backup.ts'

/** Approximate number of characters of JSON in one INSERT. */
const PORTION = 4_000_000
/**
 * The table of change notices. They have the transaction ids of the other database. In a new database these ids are in the
 * future, so that every stream would receive each notice again and again.
 */
const NOTICES = 'events'

/**
 * Fills an empty installation, with either kind of database and storage, from the backup in the folder `source`. The rows are
 * inserted in one transaction under the schema version of the backup; then the newer migrations and VACUUM run. Jobs that were
 * queued or running are queued again. Change notices are not restored.
 *
 * The backup is checked before anything is written. The schema is then migrated to the version of the backup before the
 * installation is checked. Throws a `refused` for a damaged backup or one of a newer version, and a `conflict` when the
 * installation has accounts or its schema is newer than the backup: the migrations would not run over the restored rows.
 */
export async function restoreBackup(source: string): Promise<Manifest> {
  const manifest = await checkBackup(source)
  const client = await database().pool.connect()
  try {
    await migrateDatabase(manifest.migrations.at(-1))
    if (await hasAccounts(client))
      throw new AppError('conflict', 'This installation has accounts. Restore into an empty one.')
    if ((await appliedMigrations(client)).length > manifest.migrations.length)
      throw new AppError('conflict', 'The backup is older than this database. Restore into one that was never started.')
    await checkNames(client, manifest)
    for await (const line of fileLines(source)) await storeFile(source, line)
    // Before the rows are committed: without this secret, no second factor could be used.
    if (manifest.secret && !env.AUTH_SECRET) await storeSecret(source)
    await fill(client, source, manifest)
    await migrateDatabase()
    await vacuumTables()
  } finally {
    client.release(true)
  }
  return manifest
}

/** Throws 'refused' if the manifest has an unknown table, column or sequence, or a table twice. */
async function checkNames(client: ClientBase, { tables, sequences }: Manifest): Promise<void> {
  const known = await listNames(client)
  const wrong =
    tables.find(
      (table, at) => !isKnown(known.tables, table) || tables.findIndex((one) => one.name === table.name) < at,
    ) ?? sequences.find(({ name }) => !known.sequences.includes(name))
  if (wrong) throw new AppError('refused', `The backup names ${wrong.name}, which is unknown or listed twice.`)
}

const isKnown = (known: readonly StoredTable[], { name, columns }: StoredTable) =>
  known.some((table) => table.name === name && columns.every((column) => table.columns.includes(column)))

/** Stores a file of the backup. Passes a copy to the storage, because the storage may move the file that it gets. */
async function storeFile(source: string, { key }: FileLine): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-restore-'))
  try {
    const copy = join(folder, 'file')
    await copyFile(join(source, 'files', key), copy)
    await storage().putFile(key, copy, key.endsWith('.pdf') ? 'application/pdf' : 'image/webp')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Copies the secret that signs sessions. With PostgreSQL and S3, DATA_DIR does not exist before the first start. */
async function storeSecret(source: string): Promise<void> {
  await mkdir(env.DATA_DIR, { recursive: true })
  await copyFile(join(source, SECRET_FILE), join(env.DATA_DIR, SECRET_FILE))
}

async function fill(client: ClientBase, source: string, manifest: Manifest): Promise<void> {
  const tables = await listTables(client)
  const references = await beginFilling(client, tables)
  for (const table of manifest.tables.filter(({ name }) => name !== NOTICES)) {
    let portion: string[] = []
    let size = 0
    const lines = createReadStream(join(source, tableFile(table.name))).pipe(createGunzip())
    for await (const line of readLines(lines)) {
      portion.push(line)
      size += line.length
      if (size < PORTION) continue
      await insertRows(client, table, portion)
      ;[portion, size] = [[], 0]
    }
    if (portion.length > 0) await insertRows(client, table, portion)
  }
  await endFilling(client, tables, references, manifest.sequences)
}
