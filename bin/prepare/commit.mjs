/** The git commit of the files here, for the version that a server reports. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The full hash of the commit that is checked out in `folder`; null outside a git checkout, as in an unpacked archive, and
 * without git. BUILD_COMMIT wins: an image is built without the `.git` folder.
 */
export function commitOf(folder, env = process.env) {
  const given = env.BUILD_COMMIT?.trim()
  if (given) return given
  // An archive may lie inside the checkout of another project.
  if (!existsSync(join(folder, '.git'))) return null
  const { status, stdout } = spawnSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** Writes the commit into a built folder, as `.commit`, if it is not there already; empty without one. */
export function noteCommit(folder, commit) {
  const file = join(folder, '.commit')
  const text = commit ?? ''
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  writeFileSync(file, text)
}
