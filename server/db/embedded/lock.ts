import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '#server/lib/errors.ts'

/** Information of a lock's holder, for the error message of another process. */
interface Holder {
  pid: number
  /** The folder of its socket. The next holder removes it if this one was killed. */
  socketFolder?: string
}

export interface DataLock {
  /** The socket folder of a killed predecessor, if any. */
  readonly leftSocketFolder: string | undefined
  /** Records the socket folder of this process. */
  noteSocketFolder(folder: string): void
  release(): void
}

/** Prefix of socket folders: only such folders are removed for a predecessor. */
export const SOCKET_FOLDER_PREFIX = 'lectern-'

/** SQLite's result code for a lock of another process. */
const SQLITE_BUSY = 5

/**
 * Locks a data folder exclusively. Throws a `conflict` that names the folder and the process when it is locked.
 * Two processes on one folder would silently destroy committed rows, so the lock must be reliable. It is an operating
 * system lock on a file, which ends with the process: it cannot become stale, needs no process id, and two starters
 * cannot both get it. Node has no such call, but its SQLite locks files that way on every system. The file stays empty.
 */
export function lockDataFolder(folder: string): DataLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const holderFile = join(folder, 'process.json')
  const lock = openLock(folder, holderFile)
  const before = readHolder(holderFile)
  const holder: Holder = { pid: process.pid }
  const write = () => writeFileSync(holderFile, JSON.stringify(holder))
  write()
  return {
    leftSocketFolder: basename(before?.socketFolder ?? '').startsWith(SOCKET_FOLDER_PREFIX)
      ? before?.socketFolder
      : undefined,
    noteSocketFolder(socketFolder) {
      holder.socketFolder = socketFolder
      write()
    },
    release() {
      // Removed while the lock is held: afterwards the file can be that of the next holder.
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

function openLock(folder: string, holderFile: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
  try {
    // No journal, so that a killed holder leaves nothing to recover.
    lock.exec('PRAGMA journal_mode = OFF')
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) {
      const pid = readHolder(holderFile)?.pid
      throw new AppError('conflict', `Lectern is already running on ${folder}${pid ? ` (process ${pid})` : ''}.`)
    }
    throw new Error(`The folder ${folder} cannot be locked: ${(error as Error).message}.`, { cause: error })
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    // Missing, or incomplete because its writer was killed: it is only needed for the message and cleanup.
    return undefined
  }
}
