import { access, constants, copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { notFound } from '../errors.ts'
import type { Storage } from '../storage.ts'

/** Files under one folder of this machine, written whole (temporary name, fsync, rename). */
export function openFolder(root: string): Storage {
  const place = (key: string) => {
    const path = normalize(join(root, key))
    if (!path.startsWith(normalize(`${root}/`))) throw new Error('A storage key left its folder.')
    return path
  }
  const size = async (key: string) => {
    const found = await stat(place(key)).catch(missingIsNull)
    return found?.isFile() ? found.size : null
  }
  return {
    size,
    putFile: async (key, path) => {
      const target = place(key)
      await mkdir(dirname(target), { recursive: true })
      await moveFile(path, target)
    },
    read: async (key, range) => {
      // Opened before anything is answered: an error of the stream itself could only break the answer off.
      const handle = await open(place(key), 'r').catch(missingIsNull)
      if (!handle) throw notFound('File')
      return Readable.toWeb(handle.createReadStream(range)) as ReadableStream<Uint8Array>
    },
    withLocalFile: async (key, work) => {
      if ((await size(key)) === null) throw notFound('File')
      return work(place(key))
    },
    remove: (key) => rm(place(key), { force: true }),
    list: async function* () {
      const folder = await opendir(root, { recursive: true }).catch(missingIsNull)
      for await (const entry of folder ?? []) {
        // A name that ends in .part is a copy that a crash left half done.
        if (!entry.isFile() || entry.name.endsWith('.part')) continue
        const path = join(entry.parentPath, entry.name)
        // A file may be removed between being listed and being looked at.
        const found = await stat(path).catch(missingIsNull)
        if (found) yield { key: relative(root, path).split(sep).join('/'), size: found.size }
      }
    },
    check: async () => {
      await mkdir(root, { recursive: true })
      await access(root, constants.W_OK)
    },
  }
}

async function moveFile(from: string, to: string) {
  const handle = await open(from, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await rename(from, to)
  } catch (error) {
    // Another disk: copy beside the target first, so that the target appears whole.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, `${to}.part`)
    await rename(`${to}.part`, to)
    await rm(from, { force: true })
  }
}

function missingIsNull(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
