/** One process at a time for the steps that write. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, SetupError } from './programs.mjs'

/** The locks that this process holds, however often this file was loaded into it. */
const held = (globalThis[Symbol.for('lectern.locks')] ??= new Set())

/** Runs `body` while no other process runs the same step here; the lock of a process that died counts for nothing. */
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
      throw new SetupError(
        `Something must be installed or built here first, and ${root} cannot be written: ${error.message}`,
      )
    }
  }
  try {
    const owner = readFileSync(lock, 'utf8')
    // A lock whose owner has not written its number yet is one being taken right now.
    if (owner !== '' && !isTaken(lock, Number.parseInt(owner, 10))) rmSync(lock, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return false
}

function isTaken(lock, pid) {
  // In a container a process often has the number of the one that died before it.
  if (pid === process.pid) return held.has(lock)
  if (!Number.isInteger(pid)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
