/** Builds a folder of dist/ from source files, and builds it again when a source file changes. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { withLock } from './lock.mjs'
import { isPacked, root, say } from './programs.mjs'

const STAMP = '.source-hash'

/**
 * Builds dist/<name> with `build(folder)`, unless it is up to date with its source files. `sources()` returns the source files
 * and folders, relative to the root; of the files in these folders, only those for which `isSource(path)` is true count. The
 * build writes to a temporary folder, which then replaces the old folder, so that a running server never reads a partial build.
 * Prints the message `words` before a build.
 */
export async function prepareFolder({ name, words, sources, isSource = () => true, build }) {
  if (isPacked()) return
  const dist = join(root, 'dist')
  const folder = join(dist, name)
  const hashNow = () => hashOf(sources().flatMap((path) => filesUnder(join(root, path)).filter(isSource)))
  if (isMadeFrom(folder, hashNow())) return
  await withLock(`build-${name}`, async () => {
    const hash = hashNow()
    if (isMadeFrom(folder, hash)) return
    say(words)
    // Remains of killed builds. The lock guarantees that no other build is running.
    const left = existsSync(dist) ? readdirSync(dist).filter((one) => one.startsWith(`${name}-`)) : []
    for (const one of left) rmSync(join(dist, one), { recursive: true, force: true })
    const fresh = join(dist, `${name}-${process.pid}`)
    try {
      await build(fresh)
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true })
      throw error
    }
    writeFileSync(join(fresh, STAMP), hash)
    const old = join(dist, `${name}-old-${process.pid}`)
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(fresh, folder)
    rmSync(old, { recursive: true, force: true })
  })
}

/**
 * Returns all files in a folder and its subfolders in a fixed order, without hidden files. If `path` is a file, returns only
 * this file.
 */
export function filesUnder(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => (name.startsWith('.') ? [] : filesUnder(join(path, name))))
}

function isMadeFrom(folder, hash) {
  const stamp = join(folder, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
}

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}
