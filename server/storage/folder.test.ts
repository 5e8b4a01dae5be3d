import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { Storage } from './file-storage.ts'

// The failures are intended: keep them out of the test output.
vi.stubEnv('LOG_LEVEL', 'silent')
const { openFolder } = await import('./folder.ts')

it('An upload replaces the file at the same path (STOR-03)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-storage-'))
  try {
    const storage = openFolder(join(folder, 'files'))
    const upload = join(folder, 'upload')
    for (const words of ['a longer first file', 'second']) {
      await writeFile(upload, words)
      await storage.putFile('documents/ada/paper.pdf', upload, 'application/pdf')
    }
    expect(await storage.withLocalFile('documents/ada/paper.pdf', (path) => readFile(path, 'utf8'))).toBe('second')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

describe('folder storage', () => {
  it.each<[string, (root: string) => Promise<void>]>([
    ['is gone', async () => undefined],
    ['is empty, like the mount point of an unmounted disk', (root) => mkdir(root).then(() => undefined)],
    ['is a file', (root) => writeFile(root, '')],
    ['cannot be read', (root) => symlink(root, root)],
  ])(
    'When the folder %s, no file is reported missing, stored elsewhere or dropped from the list',
    async (_what, change) => {
      const folder = await mkdtemp(join(tmpdir(), 'lectern-storage-'))
      try {
        const root = join(folder, 'files')
        const storage = openFolder(root)
        const upload = join(folder, 'upload')
        await writeFile(upload, 'kept')
        await storage.putFile('documents/ada/paper.pdf', upload, 'application/pdf')
        expect(await storage.size('documents/ada/none.pdf')).toBeNull()
        expect(await keysOf(storage)).toEqual(['documents/ada/paper.pdf'])

        await rename(root, `${root}-away`)
        await change(root)
        await writeFile(upload, 'next')
        for (const use of [
          () => storage.size('documents/ada/paper.pdf'),
          () => storage.read('documents/ada/paper.pdf'),
          () => storage.withLocalFile('documents/ada/paper.pdf', (path) => readFile(path)),
          () => storage.putFile('documents/ada/next.pdf', upload, 'application/pdf'),
          () => storage.remove('documents/ada/paper.pdf'),
        ])
          await expect(use()).rejects.toThrow('The file storage did not answer. Please try again later.')
        await expect(storage.check()).rejects.toThrow()

        await rm(root, { recursive: true, force: true })
        await rename(`${root}-away`, root)
        await storage.check()
        await storage.putFile('documents/ada/next.pdf', upload, 'application/pdf')
        expect((await keysOf(storage)).toSorted()).toEqual(['documents/ada/next.pdf', 'documents/ada/paper.pdf'])
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})

async function keysOf(storage: Storage): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  return keys
}
