import { access, constants, copyFile, mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { AppError, notFound } from '../errors.ts'
import { log } from '../log.ts'
import type { Storage } from '../storage.ts'

/** Stands in the folder as long as it is the one that was opened: a disk that is not mounted leaves an empty one in its place. */
const MARK = '.lectern'
const WORDS = 'The files of an installation. Without this one nothing is stored or removed here until the next start.\n'
const NO_ANSWER = 'The file storage did not answer. Please try again later.'
/** No room on this machine's disk: what callers tell in words of their own. */
export const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])

/** Files under one folder of this machine, written whole (temporary name, fsync, rename). */
export function openFolder(root: string): Storage {
  let isMarked = false
  const place = (key: string) => {
    const path = normalize(join(root, key))
    if (!path.startsWith(normalize(`${root}/`))) throw new Error('A storage key left its folder.')
    return path
  }
  /** Fails when the folder is not there, which from the outside looks as if it were empty. */
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
      // Opened before anything is answered: an error of the stream itself could only break the answer off.
      const handle = await open(place(key), 'r').catch(missingIsNull).catch(explain)
      if (!handle) throw notFound('File')
      return Readable.toWeb(handle.createReadStream(range)) as ReadableStream<Uint8Array>
    },
    withLocalFile: async (key, work) => {
      if ((await size(key).catch(explain)) === null) throw notFound('File')
      return work(place(key))
    },
    remove: async (key) => {
      // What cannot be seen is not gone: it would be there again, and belong to nothing.
      await beThere().catch(explain)
      await rm(place(key), { force: true }).catch(explain)
    },
    list: async function* () {
      const folder = await opendir(root, { recursive: true }).catch(missingIsNull).catch(explain)
      for await (const entry of folder ?? []) {
        // A name that ends in .part is a copy that a crash left half done.
        if (!entry.isFile() || entry.name.endsWith('.part')) continue
        const path = join(entry.parentPath, entry.name)
        if (path === join(root, MARK)) continue
        // A file may be removed between being listed and being looked at.
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

/** A disk that fails is told like a bucket that does: in words, and to be tried again. */
function explain(error: unknown): never {
  if (error instanceof AppError || FULL.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  log.error({ err: error }, 'the folder of files cannot be used')
  throw new AppError('outside_failed', NO_ANSWER, { cause: error })
}

async function moveFile(from: string, to: string) {
  await mkdir(dirname(to), { recursive: true })
  await flush(from, 'r+')
  try {
    await rename(from, to)
  } catch (error) {
    // Another disk: copy beside the target first, so that the target appears whole.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, `${to}.part`)
    await flush(`${to}.part`, 'r+')
    await rename(`${to}.part`, to)
    await rm(from, { force: true })
  }
  // A name is in its folder for good when the folder is written; a system that cannot do that for folders does it itself.
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
