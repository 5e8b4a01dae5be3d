/** File locks, so that only one process at a time runs a step that writes files. */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { uptime } from 'node:os'
import { dirname, join } from 'node:path'
import { root, say, SetupError } from './programs.mjs'

/** Time in milliseconds within which a process writes its id into its new lock file. */
const WRITING_MS = 10_000

/** Paths of this process's current lock files. The set is global, because a test can load this module several times. */
const held = (globalThis[Symbol.for('lectern.locks')] ??= new Set())

/**
 * Runs `body` while no other process runs the step with the same name. Waits until the lock file of the step is free, and
 * removes it after `body`. Ignores the lock of a process that has ended. Prints a message before it waits.
 */
export async function withLock(step, body) {
  const lock = join(root, '.cache', `${step}.lock`)
  for (let tries = 0; !takeLock(lock); tries++) {
    if (tries === 1) say('Waiting for another process that installs or builds …')
    await new Promise((resume) => setTimeout(resume, 300))
  }
  try {
    await body()
  } finally {
    rmSync(lock, { force: true })
    held.delete(lock)
  }
}

function takeLock(lock) {
  try {
    mkdirSync(dirname(lock), { recursive: true })
    const file = openSync(lock, 'wx')
    try {
      writeSync(file, String(process.pid))
    } catch (error) {
      rmSync(lock, { force: true })
      throw error
    } finally {
      closeSync(file)
    }
    held.add(lock)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw new SetupError(`Packages must be installed or built first, but ${root} is not writable: ${error.message}`)
    }
  }
  try {
    if (!isTaken(lock)) rmSync(lock, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return false
}

function isTaken(lock) {
  const { mtimeMs } = statSync(lock)
  const owner = readFileSync(lock, 'utf8')
  // A full disk or a power failure leaves an empty file. A process that has just created its file has not written its id yet.
  if (owner === '') return mtimeMs > Date.now() - WRITING_MS
  // After a restart of the machine, another process can have the id.
  if (mtimeMs < Date.now() - uptime() * 1000) return false
  const pid = Number.parseInt(owner, 10)
  // In a container, a process often has the id of its predecessor.
  if (pid === process.pid) return held.has(lock)
  if (!Number.isInteger(pid)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
