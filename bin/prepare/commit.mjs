/** Finds the git commit of the checkout, for the version that the server reports. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the full hash of the commit that is checked out in `folder`, or the value of BUILD_COMMIT if it is set, because an
 * image is built without the `.git` folder. Returns null without git, and for a folder that is not a checkout, such as an
 * unpacked archive.
 */
export function commitOf(folder, env = process.env) {
  const given = env.BUILD_COMMIT?.trim()
  if (given) return given
  // An archive may be unpacked inside the checkout of another project.
  if (!existsSync(join(folder, '.git'))) return null
  // git refuses a checkout of another user, such as that of root for the user of the service, unless it is named.
  const args = ['-c', `safe.directory=${folder}`, '-C', folder, 'rev-parse', 'HEAD']
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/**
 * Writes the hash of the git commit from which a folder was built to the file `.commit` in this folder, if the file has another
 * content. With `commit` null, the file is empty. Ignores a read-only folder, because the commit is only information.
 */
export function noteCommit(folder, commit) {
  const file = join(folder, '.commit')
  const text = commit ?? ''
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  try {
    writeFileSync(file, text)
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
  }
}
