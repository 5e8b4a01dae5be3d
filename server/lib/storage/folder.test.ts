import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFolder } from './folder.ts'

it('an upload to a path where a file is replaces it (STOR-03)', async () => {
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
