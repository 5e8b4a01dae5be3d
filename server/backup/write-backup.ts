import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { appliedMigrations, betweenMigrations, connectAsOperator, knownMigrations } from '#server/db/migrate.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { storage } from '#server/storage/storage.ts'
import { version } from '#server/lib/version.ts'
import { measured } from './checksum.ts'
import { noteBackup } from './last-backup.ts'
import { FILE_LIST, type FileLine, isFileKey, MANIFEST, type Manifest, tableFile } from './manifest.ts'
import {
  beginSnapshot,
  endSnapshot,
  listSequences,
  listTables,
  lockTables,
  namesFile,
  namesFiles,
  readRows,
  type StoredTable,
  touchSnapshot,
} from './queries.ts'

/** Name of the generated session secret, in DATA_DIR and in a backup. */
export const SECRET_FILE = 'auth-secret'

const TOUCH_MS = 5_000

/**
 * Writes a backup of the installation into the new folder `target`: a consistent snapshot of all tables, the stored files, and
 * the session secret if DATA_DIR contains a generated one. Writes to `<target>.partial` and renames it at the end, so `target`
 * is always complete. Deletes `<target>.partial` if the backup fails. A server on PostgreSQL can run meanwhile. The schema is
 * not changed: a backup of an earlier version's database is one of that version. Throws 'conflict' if `target` exists, and
 * 'refused' if documents have files but the storage is empty.
 */
export async function writeBackup(target: string): Promise<Manifest> {
  if (await stat(target).catch(() => null)) throw new AppError('conflict', `${target} already exists.`)
  const partial = `${target}.partial`
  await rm(partial, { recursive: true, force: true })
  const client = await connectAsOperator()
  try {
    await mkdir(join(partial, 'tables'), { recursive: true, mode: 0o700 })
    const { migrations, stored } = await betweenMigrations(client, () => openSnapshot(client))
    const tables: Manifest['tables'] = []
    for (const table of stored) tables.push(await writeTable(client, table, partial))
    const sequences = await listSequences(client)
    const files = await whileTouching(client, () => writeFiles(client, partial))
    // An unmounted disk looks empty to a new process.
    if (files.count === 0 && (await namesFiles(client)))
      throw new AppError(
        'refused',
        'The storage has none of the files that documents name. Check that its disk or bucket is available.',
      )
    await endSnapshot(client)
    const manifest: Manifest = {
      format: 1,
      created_at: new Date().toISOString(),
      version,
      migrations,
      tables,
      sequences,
      files,
      secret: await copySecret(partial),
    }
    await writeWhole(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
    await rename(partial, target)
    await noteBackup(manifest.created_at)
    return manifest
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch((failure: unknown) =>
      log.warn({ err: failure }, `${partial} could not be deleted`),
    )
    throw error
  } finally {
    // Destroys the connection: one with an open transaction must not return to the pool.
    client.release(true)
  }
}

/**
 * Begins the snapshot. Returns its migrations and its tables, which a server that starts meanwhile cannot migrate before the
 * end of the backup. Throws 'refused' for a schema that this version could not restore.
 */
async function openSnapshot(client: ClientBase) {
  await beginSnapshot(client)
  const migrations = await appliedMigrations(client)
  if (migrations.length === 0)
    throw new AppError('refused', 'The database is empty: the first start creates the schema.')
  const known = knownMigrations()
  if (migrations.some((name) => !known.includes(name)))
    throw new AppError('refused', `The database has the schema of a newer version than ${version}. Use that version.`)
  const stored = await listTables(client)
  await lockTables(client, stored)
  return { migrations, stored }
}

/**
 * Runs `work`, which copies the files, and sends a statement every five seconds meanwhile, because PostgreSQL ends a
 * transaction that is idle for 30 seconds.
 */
async function whileTouching<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure ??= error
  }
  const timer = setInterval(() => void touchSnapshot(client).catch(fail), TOUCH_MS)
  try {
    const done = await work()
    if (failure) throw failure
    return done
  } finally {
    clearInterval(timer)
  }
}

async function writeTable(client: ClientBase, table: StoredTable, folder: string): Promise<Manifest['tables'][number]> {
  const hash = measured()
  let rows = 0
  const lines = async function* () {
    for await (const line of readRows(client, table)) {
      rows += 1
      yield line
    }
  }
  const path = join(folder, tableFile(table.name))
  await pipeline(Readable.from(lines()), createGzip({ level: 6 }), hash, createWriteStream(path, { flush: true }))
  return { ...table, rows, sha256: hash.sha256() }
}

/**
 * Copies every stored file into `folder` and writes the list of files. Skips a file that is removed during the copy, because no
 * document of the snapshot uses it. Also skips, with a warning, files of other programs: their names cannot be storage keys,
 * and no document has them.
 */
async function writeFiles(client: ClientBase, folder: string): Promise<Manifest['files']> {
  const hash = measured()
  const list = createWriteStream(join(folder, FILE_LIST), { flush: true })
  const written = pipeline(hash, list)
  let [count, bytes, left_out] = [0, 0, 0]
  for await (const { key } of storage().list()) {
    if (!isFileKey(key)) {
      // A restore would refuse the whole backup.
      if (await namesFile(client, key))
        throw new Error(`The name of the stored file ${key} is not allowed in a backup.`)
      log.warn({ file: key }, 'a file that is not from this program was left out of the backup')
      left_out += 1
      continue
    }
    const path = join(folder, 'files', key)
    const content = measured()
    const source = await storage()
      .read(key)
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'not_found') return null
        throw error
      })
    if (!source) continue
    await mkdir(dirname(path), { recursive: true })
    await pipeline(
      Readable.fromWeb(source as ReadableStream<Uint8Array>),
      content,
      createWriteStream(path, { flush: true }),
    )
    count += 1
    bytes += content.size()
    const line: FileLine = { key, size: content.size(), sha256: content.sha256() }
    if (!hash.write(`${JSON.stringify(line)}\n`)) await once(hash, 'drain')
  }
  hash.end()
  await written
  return { count, bytes, sha256: hash.sha256(), left_out }
}

async function copySecret(folder: string): Promise<boolean> {
  try {
    await copyFile(join(env.DATA_DIR, SECRET_FILE), join(folder, SECRET_FILE))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
