/** File locks, so that only one process at a time runs a step that writes files. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, SetupError } from './programs.mjs'

/** Paths of this process's current lock files. The set is global, because a test can load this module several times. */
const held = (globalThis[Symbol.for('lectern.locks')] ??= new Set())

/**
 * Runs `body` while no other process runs the step with the same name. Waits until the lock file of the step is free, and
 * removes it after `body`. Ignores the lock of a process that has ended.
 */
export async function withLock(step, body) {
  const lock = join(root, '.cache', `${step}.lock`)
  while (!takeLock(lock)) await new Promise((resume) => setTimeout(resume, 300))
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
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    held.add(lock)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw new SetupError(`Packages must be installed or built first, but ${root} is not writable: ${error.message}`)
    }
  }
  try {
    const owner = readFileSync(lock, 'utf8')
    // An empty lock file belongs to a process that has not written its id yet.
    if (owner !== '' && !isTaken(lock, Number.parseInt(owner, 10))) rmSync(lock, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return false
}

function isTaken(lock, pid) {
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
