import { access, constants, copyFile, mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { AppError, notFound } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { storageErrors } from '#server/lib/metrics.ts'
import { FULL, type Storage } from './file-storage.ts'

/**
 * The name of a file that marks the folder of the storage. If the disk is not mounted, the folder is empty and lacks this file.
 */
const MARK = '.lectern'
const WORDS = 'The files of an installation. Without this one nothing is stored or removed here until the next start.\n'
const NO_ANSWER = 'The file storage did not answer. Please try again later.'

/** Opens a storage in a local folder. Files are written atomically (temporary name, fsync, rename). */
export function openFolder(root: string): Storage {
  let isMarked = false
  const place = (key: string) => {
    const path = normalize(join(root, key))
    if (!path.startsWith(normalize(`${root}/`))) throw new Error('A storage key is outside its folder.')
    return path
  }
  /**
   * Ensures that the folder is available. The first call creates the folder and the file MARK. Later calls throw if MARK is
   * missing, because a missing folder would look like an empty storage.
   */
  const beThere = async () => {
    if (isMarked) return access(join(root, MARK))
    await mkdir(root, { recursive: true })
    await writeFile(join(root, MARK), WORDS)
    isMarked = true
  }
  const missingIsNull = async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    await beThere()
    return null
  }
  const size = async (key: string) => {
    const found = await stat(place(key)).catch(missingIsNull)
    return found?.isFile() ? found.size : null
  }
  return {
    size: (key) => size(key).catch(explain),
    putFile: async (key, path) => {
      const target = place(key)
      await beThere().catch(explain)
      await moveFile(path, target).catch(explain)
    },
    read: async (key, range) => {
      // Opened before the response begins: a later error of the stream could only break the response off.
      const handle = await open(place(key), 'r').catch(missingIsNull).catch(explain)
      if (!handle) throw notFound('File')
      return Readable.toWeb(handle.createReadStream(range)) as ReadableStream<Uint8Array>
    },
    withLocalFile: async (key, work) => {
      if ((await size(key).catch(explain)) === null) throw notFound('File')
      return work(place(key))
    },
    remove: async (key) => {
      // While the folder is missing, its files must not count as removed: they would return with the folder, and no row would
      // refer to them.
      await beThere().catch(explain)
      await rm(place(key), { force: true }).catch(explain)
    },
    list: async function* () {
      const folder = await opendir(root, { recursive: true }).catch(missingIsNull).catch(explain)
      for await (const entry of folder ?? []) {
        // A file whose name ends in .part is an incomplete copy after a crash.
        if (!entry.isFile() || entry.name.endsWith('.part')) continue
        const path = join(entry.parentPath, entry.name)
        if (path === join(root, MARK)) continue
        // A file can be removed between readdir and stat.
        const found = await stat(path).catch(missingIsNull)
        if (found) yield { key: relative(root, path).split(sep).join('/'), size: found.size }
      }
    },
    check: async () => {
      await beThere()
      await access(root, constants.W_OK)
    },
  }
}

/**
 * Throws 'outside_failed' if the disk fails, so that the caller can retry. A failed bucket has the same error. The error of a
 * full disk is thrown unchanged.
 */
function explain(error: unknown): never {
  if (error instanceof AppError) throw error
  const isFull = FULL.has((error as NodeJS.ErrnoException).code ?? '')
  storageErrors.inc({ reason: isFull ? 'full' : 'failed' })
  if (isFull) throw error
  log.error({ err: error }, 'the folder of files cannot be used')
  throw new AppError('outside_failed', NO_ANSWER, { cause: error })
}

async function moveFile(from: string, to: string) {
  await mkdir(dirname(to), { recursive: true })
  await flush(from, 'r+')
  try {
    await rename(from, to)
  } catch (error) {
    // On another disk: copy beside the target first, so that the target appears atomically.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, `${to}.part`)
    await flush(`${to}.part`, 'r+')
    await rename(`${to}.part`, to)
    await rm(from, { force: true })
  }
  // A new name is durable after an fsync of its folder; systems without fsync of folders do it themselves.
  for (const folder of [dirname(to), dirname(dirname(to))]) await flush(folder, 'r').catch(() => undefined)
}

async function flush(path: string, mode: 'r' | 'r+') {
  const handle = await open(path, mode)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
