import { createReadStream } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { database } from '#server/db/client.ts'
import { knownMigrations, migrateDatabase } from '#server/db/migrate.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { requeueJobs } from '#server/lib/jobs.ts'
import { storage } from '#server/lib/storage.ts'
import { sha256Of } from './checksum.ts'
import {
  FILE_LIST,
  type FileLine,
  fileLineSchema,
  MANIFEST,
  type Manifest,
  manifestSchema,
  tableFile,
} from './manifest.ts'
import { beginFilling, endFilling, hasAccounts, insertRows, listOpenJobs, listTables } from './queries.ts'
import { SECRET_FILE } from './write-backup.ts'

/** Rows are handed over in portions of so many characters. */
const PORTION = 4_000_000

/**
 * Fills an empty installation, of either kind of database and storage, from the backup in the folder `source`. Everything
 * is checked before anything is written: a damaged backup, one of a newer version, or an installation that has accounts is
 * refused. The rows come in one transaction, first under the schema they were written under, which is then brought up to
 * date; work that was under way is queued again.
 */
export async function restoreBackup(source: string): Promise<Manifest> {
  const manifest = await checkBackup(source)
  const client = await database().pool.connect()
  try {
    await migrateDatabase(manifest.migrations.at(-1))
    if (await hasAccounts(client))
      throw new AppError('conflict', 'There are accounts in this installation: restore into an empty one.')
    for await (const line of fileLines(source)) await storeFile(source, line)
    await fill(client, source, manifest)
    await migrateDatabase()
    await requeueJobs(await listOpenJobs(client))
  } finally {
    client.release(true)
  }
  if (manifest.secret && !env.AUTH_SECRET) await copyFile(join(source, SECRET_FILE), join(env.DATA_DIR, SECRET_FILE))
  return manifest
}

/** Reads the manifest and compares every file with its checksum. Throws an `refused` that names what is wrong. */
async function checkBackup(source: string): Promise<Manifest> {
  const text = await readFile(join(source, MANIFEST), 'utf8').catch(() => null)
  if (text === null) throw new AppError('refused', `${source} is no backup: it has no ${MANIFEST}.`)
  const manifest = manifestSchema.parse(JSON.parse(text))
  const known = knownMigrations()
  const unknown = manifest.migrations.find((name, index) => known[index] !== name)
  if (unknown !== undefined)
    throw new AppError('refused', `The backup was made by another version (${manifest.version}, ${unknown}).`)
  for (const { name, sha256 } of manifest.tables) await compare(source, tableFile(name), sha256)
  await compare(source, FILE_LIST, manifest.files.sha256)
  for await (const { key, sha256 } of fileLines(source)) await compare(source, join('files', key), sha256)
  if (manifest.secret) await stat(join(source, SECRET_FILE))
  return manifest
}

async function compare(source: string, name: string, sha256: string): Promise<void> {
  const found = await sha256Of(join(source, name)).catch(() => null)
  if (found === null) throw new AppError('refused', `The backup lacks ${name}.`)
  if (found !== sha256) throw new AppError('refused', `${name} of the backup is damaged.`)
}

async function* fileLines(source: string): AsyncGenerator<FileLine> {
  for await (const line of createInterface({ input: createReadStream(join(source, FILE_LIST)) }))
    yield fileLineSchema.parse(JSON.parse(line))
}

/** Stores one file; a copy is handed over because the storage may move what it gets. */
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

async function fill(client: ClientBase, source: string, manifest: Manifest): Promise<void> {
  const tables = await listTables(client)
  const references = await beginFilling(client, tables)
  for (const table of manifest.tables) {
    let portion: string[] = []
    let size = 0
    const lines = createReadStream(join(source, tableFile(table.name))).pipe(createGunzip())
    for await (const line of createInterface({ input: lines, crlfDelay: Infinity })) {
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
