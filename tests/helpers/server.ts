import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAIN } from './programs.ts'
import { addAccountStore } from './stored-account.ts'
import { createDatabase, RUN_TEMPLATE } from './test-database.ts'

export { addressOf, type Client, signIn, signUp, signUpByRequest } from './client.ts'
export { createDatabase } from './test-database.ts'

/**
 * Time limit in ms until a started server is ready. Without a template, the creation of an embedded database takes a minute on
 * a busy machine.
 */
const START_LIMIT_MS = 400_000
const STOP_LIMIT_MS = 60_000

/** A server under test: the built program in its own process. */
export interface TestServer {
  url: string
  dataDir: string
  pid: number
  /** The address of the server's database; undefined for the embedded database. */
  databaseUrl: string | undefined
  /** Returns all output of the server process, including that of earlier processes before a restart. */
  output: () => string
  /** Sends a signal to the process and waits for its exit. Does not remove its data. */
  kill: (signal: NodeJS.Signals) => Promise<void>
  /**
   * Stops the process with SIGTERM, if it runs, and starts a new process with the same data. Uses the same port unless
   * `newPort` is set, which prevents a conflict if another process uses the port meanwhile.
   */
  restart: (options?: { newPort?: boolean }) => Promise<void>
  /** Stops the process and removes its data. */
  stop: () => Promise<void>
}

/**
 * Options of a server. `env`: settings. `dataDir`: the data folder, which `stop` does not remove; the default is a new
 * temporary folder.
 */
export interface ServerOptions {
  env?: Record<string, string>
  dataDir?: string
  /** Uses the embedded database even if TEST_DATABASE_URL is set. */
  embedded?: boolean
}

/**
 * Starts the built server on a free port with an empty data folder and waits until it is ready. If TEST_DATABASE_URL is set,
 * the server gets a new database there, which `stop` drops; else it uses the embedded database. Both are copies of the template
 * of the test run, if there is one (tests/helpers/database-template.ts).
 * The process gets only PATH, HOME and the given settings, and runs outside the checkout, so that a developer's `.env` has no
 * effect. Rate limits are off by default.
 */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'lectern-test-')))
  let port = await freePort()
  const url = () => `http://127.0.0.1:${port}`
  const database =
    options.env?.['DATABASE_URL'] === undefined && !options.embedded
      ? await createDatabase({ template: process.env[RUN_TEMPLATE] })
      : null
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    // The account service checks less under 'test'.
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    // The values that `npm start` sets.
    MALLOC_TRIM_THRESHOLD_: '131072',
    NODE_OPTIONS: '--max-semi-space-size=8',
    LOG_LEVEL: 'warn',
    // The minimum, because tests wait for it.
    JOB_SILENCE_SECONDS: '10',
    // The pool size of the embedded database. The default opens 20 connections at the start, which takes a fifth of the
    // processor time of a start.
    DATABASE_POOL: '8',
    ...(database ? { DATABASE_URL: database.url } : {}),
    ...options.env,
  }
  const template = process.env['TEST_DATA_TEMPLATE']
  if (template && options.dataDir === undefined && !('DATABASE_URL' in env))
    await cp(template, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
  let printed = ''
  let child: ChildProcess

  const start = async () => {
    child = spawn(process.execPath, [MAIN], {
      cwd: dataDir,
      env: { PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const from = printed.length
    const read = (chunk: Buffer) => {
      printed += chunk.toString()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    await untilReady(url(), child, () => printed.slice(from))
    addAccountStore(url(), {
      dataDir,
      databaseUrl: env['DATABASE_URL' as keyof typeof env],
      secret: options.env?.['AUTH_SECRET'],
    })
  }
  const kill = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resume) => child.once('exit', resume))
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    await exited
    clearTimeout(timer)
  }
  const clean = async () => {
    await database?.drop()
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  }

  try {
    await start().catch(async (error: unknown) => {
      // Another process took the port since it was found free.
      if (!printed.includes(`Port ${port} is in use`)) throw error
      port = await freePort()
      await start()
    })
  } catch (error) {
    await kill('SIGKILL')
    await clean()
    throw error
  }
  return {
    get url() {
      return url()
    },
    dataDir,
    databaseUrl: env['DATABASE_URL' as keyof typeof env],
    get pid() {
      return child.pid ?? -1
    },
    output: () => printed,
    kill,
    restart: async ({ newPort = false } = {}) => {
      await kill('SIGTERM')
      if (newPort) port = await freePort()
      await start()
    },
    stop: async () => {
      await kill('SIGTERM')
      await clean()
    },
  }
}

/**
 * Waits until the process has printed that it is ready and /readyz answers 200. The printed line proves that the response is
 * not from another server on the port. Throws with the output if the process ends before.
 */
async function untilReady(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The server ended at start (${child.exitCode ?? child.signalCode}):\n${printed()}`)
    }
    const ready =
      printed().includes(' is ready at ') &&
      (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
        (response) => response.ok,
        () => false,
      ))
    if (ready) return
    await new Promise((resume) => setTimeout(resume, 50))
  }
  throw new Error(`The server was not ready within ${START_LIMIT_MS / 1000} s:\n${printed()}`)
}

/** Returns a free port on loopback. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address !== null && typeof address === 'object') done(address.port)
        else fail(new Error('The probe has no port.'))
      })
    })
  })
}
