/** A folder of dist/ that is made from files of the repository, and made again when one of them is another. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { withLock } from './lock.mjs'
import { root, say } from './programs.mjs'

const STAMP = '.source-hash'

/**
 * Makes dist/<name> by `build(folder)` unless it was made from the very files that `sources` holds now: files and folders,
 * from the root. The build goes to a folder of its own that takes the old one's place, so a server that is running never
 * sees half of it. `words` tell a person what takes so long.
 */
export async function prepareFolder({ name, words, sources, isSource = () => true, build }) {
  const dist = join(root, 'dist')
  const folder = join(dist, name)
  const hashNow = () => hashOf(sources().flatMap((path) => filesUnder(join(root, path)).filter(isSource)))
  if (isMadeFrom(folder, hashNow())) return
  await withLock(`build-${name}`, async () => {
    const hash = hashNow()
    if (isMadeFrom(folder, hash)) return
    say(words)
    // What builds left behind that were killed; none but this one is under way here.
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

/** All files in a folder and in those below, in a fixed order, without hidden ones; a file is its own. */
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
