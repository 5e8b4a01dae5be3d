import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** The path of a temporary repository that contains the scripts under test and one source file. */
let root
let prepareFolder
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lectern-built-'))
  cpSync(import.meta.dirname, join(root, 'bin', 'prepare'), { recursive: true })
  mkdirSync(join(root, 'src'))
  const script = pathToFileURL(join(root, 'bin', 'prepare', 'built-folder.mjs')).href
  ;({ prepareFolder } = await import(script))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

let builds = 0
const prepare = (fails = false) =>
  prepareFolder({
    name: 'app',
    words: 'Building …',
    sources: () => ['src'],
    build: async (folder) => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `build-${(builds += 1)}`), '')
      if (fails) throw new Error('no')
    },
  })
const change = (text) => writeFileSync(join(root, 'src', 'one.ts'), text)
const built = () => readdirSync(join(root, 'dist', 'app')).filter((name) => !name.startsWith('.'))

it('prepareFolder builds after a change, once for concurrent calls, and keeps the old build on failure', async () => {
  change('1')
  await Promise.all([prepare(), prepare()])
  await prepare()
  expect(built()).toEqual(['build-1'])
  change('2')
  await expect(prepare(true)).rejects.toThrow('no')
  expect(built()).toEqual(['build-1'])
  await prepare()
  expect(built()).toEqual(['build-3'])
})

it('prepareFolder removes the remains of killed builds, also of one with the same process id', async () => {
  for (const left of [`app-${process.pid}`, `app-old-${process.pid}`, 'app-1']) {
    mkdirSync(join(root, 'dist', left))
    writeFileSync(join(root, 'dist', left, 'half'), '')
  }
  // The lock as well: in a container, a process often has the id of its predecessor.
  writeFileSync(join(root, '.cache', 'build-app.lock'), String(process.pid))
  change('3')
  await prepare()
  expect(built()).toEqual(['build-4'])
  expect(readdirSync(join(root, 'dist'))).toEqual(['app'])
  expect(existsSync(join(root, '.cache', 'build-app.lock'))).toBe(false)
})
