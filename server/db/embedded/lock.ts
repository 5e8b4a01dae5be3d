import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '#server/lib/errors.ts'

/** The process that has locked the folder, for the error message of another process. */
interface Holder {
  pid: number
  /**
   * The folder of the process's socket. If the process is killed, the next process that locks the data folder removes the
   * socket folder.
   */
  socketFolder?: string
}

export interface DataLock {
  /** The socket folder of the previous process, if that process was killed. */
  readonly leftSocketFolder: string | undefined
  /** Records the socket folder of this process. */
  noteSocketFolder(folder: string): void
  release(): void
}

/**
 * Prefix of the names of the folders for the Unix socket of the embedded database. Only folders with this prefix are removed
 * after a killed process.
 */
export const SOCKET_FOLDER_PREFIX = 'lectern-'

/** SQLite's result code for a file that another process has locked. */
const SQLITE_BUSY = 5

/**
 * Locks a data folder exclusively and returns the lock. Throws an AppError 'conflict' with the folder and the process id if
 * another process has locked it. Two processes on one folder would destroy committed rows. The operating system holds the lock
 * on a file, so the lock ends with the process. Node has no call for such a lock, but its SQLite locks files in this way on
 * every system. The locked file stays empty.
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
