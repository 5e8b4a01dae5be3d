import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { vector } from '@electric-sql/pglite-pgvector'
import { hasDatabase, placesIn } from './has-database.ts'

/** The start parameters of PGlite: its defaults without `-F`, which disables fsync, and the settings below. */
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  // The default, fdatasync, does not reach the hook in the file system layer.
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'maintenance_work_mem=256MB',
  // Memory of a sort or a count: with the default of four megabytes, fifty thousand rows use slow temporary files.
  '-c',
  'work_mem=16MB',
  // All of it is allocated at the start. The default of 128 only speeds up searches through hundreds of megabytes.
  '-c',
  'shared_buffers=64MB',
  // Sizes of old WAL files that a checkpoint reuses: the defaults, 80 MB and 1 GB, take hundreds of megabytes.
  '-c',
  'min_wal_size=32MB',
  '-c',
  'max_wal_size=64MB',
]

type Opened = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts']
type Prepare = NonNullable<Opened['preRun']>
interface FileStream {
  nfd: number
}

/**
 * A file system of PGlite on real files whose fsync flushes the file. The fsync of PGlite itself does nothing, so that a power
 * failure would lose committed rows. The hook is a private part of PGlite: therefore package.json has an exact version, and
 * `openEmbedded` checks the effect. The hook is set before the database starts, so that crash recovery also uses it.
 */
class SyncingFileSystem extends NodeFS {
  syncs = 0

  override async init(...[pg, options]: Parameters<NodeFS['init']>): Promise<{ emscriptenOpts: Opened }> {
    const { emscriptenOpts } = await super.init(pg, options)
    const hook: Extract<Prepare, unknown[]>[number] = (module) => {
      const files = (module as unknown as { FS: { filesystems: { NODEFS: { stream_ops: Record<string, unknown> } } } })
        .FS
      files.filesystems.NODEFS.stream_ops['fsync'] = (stream: FileStream) => {
        fsyncSync(stream.nfd)
        this.syncs += 1
        return 0
      }
    }
    const before = emscriptenOpts.preRun ?? []
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(Array.isArray(before) ? before : [before]), hook] } }
  }
}

/**
 * Opens or creates the embedded database under `folder` and ensures that commits reach the disk. The caller must have locked
 * the folder. Takes about half a second, or four seconds if it creates the database. Calls `onBroken` with the reason after a
 * crash of the engine. `onBroken` must end the thread at once, because the statement that crashed never returns.
 */
export async function openEmbedded(folder: string, onBroken: (reason: string) => void): Promise<PGlite> {
  const { cluster, unfinished } = placesIn(folder)
  const isNew = !hasDatabase(folder)
  // A start that was killed during creation leaves an incomplete database without any data.
  if (existsSync(unfinished)) rmSync(cluster, { recursive: true, force: true })
  if (isNew) writeFileSync(unfinished, '')

  const fs = new SyncingFileSystem(cluster)
  const db = await openFiles(cluster, { fs, extensions: { vector, pg_trgm, unaccent }, startParams: START_PARAMETERS })
  if (isNew) {
    syncFolder(cluster)
    rmSync(unfinished)
  }
  await checkThatCommitsReachTheDisk(db, fs)
  noticeBreakdown(db, onBroken)
  return db
}

/**
 * Calls `onBroken` after a panic or a trap of the engine. PGlite runs a statement in a loop that drops every exception except
 * the engine's own long jump and starts over, so that the loop would never end. This function inspects exceptions before they
 * are dropped.
 */
function noticeBreakdown(db: PGlite, onBroken: (reason: string) => void): void {
  const engine = db.Module as unknown as { _PostgresMainLoopOnce: () => void }
  const { POSTGRES_MAIN_LONGJMP: longJump } = db as unknown as { POSTGRES_MAIN_LONGJMP: number }
  const runOnce = engine._PostgresMainLoopOnce
  if (typeof runOnce !== 'function' || typeof longJump !== 'number')
    throw new Error('The embedded database cannot be monitored: this version of PGlite cannot be used.')
  engine._PostgresMainLoopOnce = () => {
    try {
      runOnce()
    } catch (error) {
      if ((error as { status?: number }).status !== longJump)
        onBroken(error instanceof Error ? error.message : String(error))
      throw error
    }
  }
}

async function openFiles(cluster: string, options: PGliteOptions): Promise<PGlite> {
  try {
    return await PGlite.create(options)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The embedded database in ${cluster} cannot be opened: ${reason}. Restore it from a backup.`, {
      cause: error,
    })
  }
}

/** Commits a WAL record that belongs to no table, and throws an error if the file system was not flushed. */
async function checkThatCommitsReachTheDisk(db: PGlite, fs: SyncingFileSystem): Promise<void> {
  const before = fs.syncs
  await db.query(`select pg_logical_emit_message(true, 'lectern', 'start')`)
  if (fs.syncs === before)
    throw new Error('The embedded database does not flush committed data: this version of PGlite cannot be used.')
}

/** Flushes all files and folders of a new database to the disk. The creation runs in a second engine without the fsync hook. */
function syncFolder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    syncPath(join(entry.parentPath, entry.name), entry.isDirectory())
  syncPath(folder, true)
}

function syncPath(path: string, isFolder: boolean): void {
  // Windows cannot open a folder; there the file system flushes names itself.
  if (isFolder && process.platform === 'win32') return
  const file = openSync(path, isFolder ? 'r' : 'r+')
  fsyncSync(file)
  closeSync(file)
}
