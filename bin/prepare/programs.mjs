/** Runs programs and prints messages, for the scripts of bin. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root folder of the repository. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Name of the file that marks an archive of `npm run pack:offline`. An unpacked archive is complete and cannot be built. */
export const PACKED = '.packed'

/** Returns whether this folder is an unpacked archive of `npm run pack:offline`. */
export const isPacked = () => existsSync(join(root, PACKED))

const binaries = join(root, 'node_modules', '.bin')

/** An error with a message for the user. It is shown without a stack trace. */
export class SetupError extends Error {}

/** Prints a message to stderr, because stdout belongs to the program that is started. */
export function say(text) {
  process.stderr.write(`${text}\n`)
}

/**
 * Environment that turns off Node's cache of compiled code. Otherwise Vite and npm store it in a folder for temporary files,
 * where other users could replace it.
 */
export const WITHOUT_COMPILE_CACHE = { NODE_DISABLE_COMPILE_CACHE: '1' }

/**
 * Returns the environment variables for a program to start: those of this process and `extra`. PATH begins with the folder of
 * the programs of installed packages, such as the pinned Node.
 */
export function programEnv(extra = {}) {
  // Tests and benchmarks load onnxruntime-node in their own process (see server/main.ts).
  return {
    ...process.env,
    ORT_DISABLE_TELEMETRY: '1',
    PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`,
    ...extra,
  }
}

/** Runs a program and returns its exit code; 1 if it could not be started. */
export function run(program, args, options = {}) {
  return exitCode(program, spawn(program, args, { cwd: root, env: programEnv(), stdio: 'inherit', ...options }))
}

/**
 * Runs a program with the input and output of this process, forwards signals to it, and exits with its exit code. Does not
 * forward SIGINT on a terminal, because Ctrl+C also reaches the program itself, and a second signal would kill it.
 */
export async function handOver(program, args, env = {}) {
  const child = spawn(program, args, { cwd: root, env: programEnv(env), stdio: 'inherit' })
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  onOrphaned(() => child.kill('SIGTERM'))
  process.exitCode = await exitCode(program, child)
}

/**
 * Calls `callback` when npm, or the shell in which npm started this process, has ended, so that the server does not continue
 * without npm. A signal to npm ends npm or this shell, but neither forwards it to this process.
 */
export function onOrphaned(callback) {
  if (process.env.npm_lifecycle_event === undefined) return
  const before = npmAbove()
  const timer = setInterval(() => {
    if (npmAbove() === before) return
    clearInterval(timer)
    callback()
  }, 250)
  timer.unref()
}

/**
 * Returns the id of the parent process as a text; if the parent is a shell and the system has /proc, also the id of the shell's
 * parent.
 */
function npmAbove() {
  const parent = process.ppid
  try {
    const isShell = /^\S*sh\0-c\0/.test(readFileSync(`/proc/${parent}/cmdline`, 'utf8'))
    const grandparent = /\) \S (\d+) /.exec(readFileSync(`/proc/${parent}/stat`, 'utf8'))?.[1]
    return isShell ? `${parent} ${grandparent}` : `${parent}`
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error
    return `${parent}`
  }
}

/** Resolves with the exit code of a program, or with 128 plus the number of the signal that ended it, as shells do. */
function exitCode(program, child) {
  return new Promise((done) => {
    child.on('error', (error) => {
      say(`${program}: ${error.message}`)
      done(1)
    })
    child.on('exit', (code, signal) => done(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

/** Runs the main function of a script. Prints one line for a `SetupError`, and the stack trace for any other error. */
export async function main(body) {
  try {
    await body()
  } catch (error) {
    say(error instanceof SetupError ? error.message : String(error.stack ?? error))
    process.exitCode = 1
  }
}

/** Returns the path of the first of these programs that is on PATH, or null. */
export function which(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(folder, name)
      if (folder !== '' && existsSync(path)) return path
    }
  }
  return null
}
