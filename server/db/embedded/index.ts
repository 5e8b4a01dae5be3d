import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { lockDataFolder, SOCKET_FOLDER_PREFIX } from './lock.ts'
import type { WorkerInput, WorkerWord } from './worker.ts'

export interface EmbeddedDatabase {
  /** Connection for `pg`; `host` is the folder of a unix socket, or the loopback address on Windows. */
  connection: { host: string; port: number; user: string; database: string; password: string }
  /** Rolls back open transactions, writes all data and unlocks the folder. Close your pools before. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  /** Interval of checks for tables that need VACUUM. Default: a minute. */
  maintenanceMs?: number
}

/** A socket path has at most 103 bytes on some systems (`sun_path`), its name included. */
const MAX_SOCKET_FOLDER = 103 - '/.s.PGSQL.5432'.length

/**
 * Starts PostgreSQL inside this process and returns the settings for connections to it. PGlite runs in a worker thread, so that
 * long statements do not block the event loop. A bridge implements the PostgreSQL protocol, so that `pg` and Drizzle can
 * connect. The data is in `dataDir`. Throws an AppError 'conflict' with the name of this folder if another process uses it. If
 * the database breaks at run time, the process prints the reason to standard error and exits; a restart recovers.
 */
export async function startEmbeddedDatabase({
  dataDir,
  maintenanceMs = 60_000,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const folder = resolve(dataDir)
  const lock = lockDataFolder(folder)
  let socketFolder: string | null = null
  const tidyUp = () => {
    if (socketFolder !== null) rmSync(socketFolder, { recursive: true, force: true })
  }
  try {
    if (lock.leftSocketFolder !== undefined) rmSync(lock.leftSocketFolder, { recursive: true, force: true })
    // Every user of the machine can reach a loopback port, but not the private folder.
    const password = randomBytes(24).toString('base64url')
    socketFolder = process.platform === 'win32' ? null : makeSocketFolder(folder)
    if (socketFolder !== null) lock.noteSocketFolder(socketFolder)
    process.once('exit', tidyUp)
    const input: WorkerInput = {
      folder,
      socketFolder,
      password: socketFolder === null ? password : null,
      maintenanceMs,
    }
    const thread = await startThread(folder, input)
    const host = socketFolder ?? '127.0.0.1'
    return {
      connection: { host, port: thread.port, user: 'postgres', database: 'postgres', password },
      stop: async () => {
        await thread.stop()
        process.off('exit', tidyUp)
        tidyUp()
        lock.release()
      },
    }
  } catch (error) {
    process.off('exit', tidyUp)
    tidyUp()
    lock.release()
    throw error
  }
}

/** Creates a private folder with a path short enough for a socket. */
function makeSocketFolder(dataDir: string): string {
  const name = `${SOCKET_FOLDER_PREFIX}XXXXXX`
  const parent = [tmpdir(), dataDir, '/tmp'].find((one) => Buffer.byteLength(join(one, name)) <= MAX_SOCKET_FOLDER)
  if (parent === undefined)
    throw new Error('No folder has a path that is short enough for a socket. Set TMPDIR to a shorter path.')
  const made = mkdtempSync(join(parent, SOCKET_FOLDER_PREFIX))
  chmodSync(made, 0o700)
  return made
}

async function startThread(folder: string, input: WorkerInput): Promise<{ port: number; stop(): Promise<void> }> {
  // The stack limits how deep an expression or a pattern can nest before the engine crashes; the default is four
  // megabytes.
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: input,
    resourceLimits: { stackSizeMb: 16 },
  })
  let isStopping = false
  const port = await new Promise<number>((ready, fail) => {
    worker.once('error', fail)
    worker.once('exit', (code) => fail(new Error(`The embedded database ended at the start (code ${code}).`)))
    worker.on('message', (said: WorkerWord) => {
      if (said.word === 'ready') ready(said.port)
    })
  }).finally(() => worker.removeAllListeners())

  const giveUp = (reason: string) => {
    if (isStopping) return
    process.stderr.write(
      `The embedded database in ${folder} broke: ${reason}. Lectern exits. Start it again: it recovers.\n`,
    )
    process.exit(70)
  }
  worker.on('error', (error) => giveUp(error instanceof Error ? error.message : String(error)))
  worker.on('exit', (code) => giveUp(`its thread ended with code ${code}`))
  worker.on('message', (said: WorkerWord) => {
    if (said.word === 'broken') giveUp(said.reason)
  })
  return {
    port,
    stop: async () => {
      if (isStopping) return
      isStopping = true
      const stopped = new Promise<void>((done) => {
        worker.once('exit', () => done())
        worker.on('message', (said: WorkerWord) => {
          if (said.word === 'stopped') done()
        })
      })
      worker.postMessage('stop')
      await stopped
      await worker.terminate()
    },
  }
}
