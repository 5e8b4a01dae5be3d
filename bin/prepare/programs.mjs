/** How our scripts run programs and talk to the person at the terminal. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

const binaries = join(root, 'node_modules', '.bin')

/** A failure whose words are meant for the person at the terminal; shown without a stack. */
export class SetupError extends Error {}

/** Tells a person what is going on, on stderr: stdout belongs to the program that is handed over to. */
export function say(text) {
  process.stderr.write(`${text}\n`)
}

/** The environment of every program of ours: the package's own binaries, the pinned Node among them, come first. */
export function programEnv(extra = {}) {
  return { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`, ...extra }
}

/** Runs a program to its end with our environment and returns its exit code; 1 when it could not be started. */
export function run(program, args, options = {}) {
  return exitCode(program, spawn(program, args, { cwd: root, env: programEnv(), stdio: 'inherit', ...options }))
}

/**
 * Gives the terminal to a program: its input and output, our signals, and its exit code as ours. Control-C reaches a
 * program on the same terminal by itself; passing it on again would look like a second, impatient one.
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
 * Calls back when the npm that runs us is gone. npm passes a signal to the shell between us, which ends without passing it
 * on, and a killed npm leaves that shell waiting: either way the server would outlive the command that started it.
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

/** The processes above us up to npm, as far as this system tells: npm itself, or a shell and npm. */
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

/** How a program ended, as a shell tells it: its own code, or 128 and the number of the signal that ended it. */
function exitCode(program, child) {
  return new Promise((done) => {
    child.on('error', (error) => {
      say(`${program}: ${error.message}`)
      done(1)
    })
    child.on('exit', (code, signal) => done(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

/** Runs a script's main function; a failure that is meant for people is one line, any other keeps its stack. */
export async function main(body) {
  try {
    await body()
  } catch (error) {
    say(error instanceof SetupError ? error.message : String(error.stack ?? error))
    process.exitCode = 1
  }
}

/** The first of the given programs that PATH holds, as a path, or null. */
export function which(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(folder, name)
      if (folder !== '' && existsSync(path)) return path
    }
  }
  return null
}
