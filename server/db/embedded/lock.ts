import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '#server/lib/errors.ts'

/** What the holder of a lock says about itself, for the message that another process gets. */
interface Holder {
  pid: number
  /** The folder of its socket, which the next holder removes when this one was killed. */
  socketFolder?: string
}

export interface DataLock {
  /** The folder a killed predecessor left its socket in, if any. */
  readonly leftSocketFolder: string | undefined
  /** Notes where this process has its socket. */
  noteSocketFolder(folder: string): void
  release(): void
}

/** How the name of a socket folder begins: nothing else is ever removed for a predecessor. */
export const SOCKET_FOLDER_PREFIX = 'lectern-'

/** SQLite's result code for "somebody else holds the lock". */
const SQLITE_BUSY = 5

/**
 * Takes the exclusive lock on a data folder, or throws a `conflict` that names the folder and the process.
 *
 * Two processes on one folder would silently destroy acknowledged rows, so the lock has to be certain. It is a lock of
 * the operating system on a file, which ends with the process however that ends: nothing can be stale, no process
 * number can be mistaken for another, and two starters cannot both win. Node itself has no such call, but the SQLite
 * inside it locks its files that way on every system; the file stays empty and nothing else is stored in it.
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
      // While still locked: the next holder must not lose its own note.
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

function openLock(folder: string, holderFile: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
  try {
    // No journal: a killed holder leaves nothing that the next one would have to repair.
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
    // Not there, or its writer was killed half-way: it only serves the message and tidying up.
    return undefined
  }
}
