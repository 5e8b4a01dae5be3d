import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** A repository of its own: these scripts and one source. */
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

it('builds when a source is another, once for many at a time, and keeps the old build where the new one fails', async () => {
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

it('clears away what killed builds left, also one of the same process number, and builds', async () => {
  for (const left of [`app-${process.pid}`, `app-old-${process.pid}`, 'app-1']) {
    mkdirSync(join(root, 'dist', left))
    writeFileSync(join(root, 'dist', left, 'half'), '')
  }
  // The lock as well: in a container a process often has the number of the one before it.
  writeFileSync(join(root, '.cache', 'build-app.lock'), String(process.pid))
  change('3')
  await prepare()
  expect(built()).toEqual(['build-4'])
  expect(readdirSync(join(root, 'dist'))).toEqual(['app'])
  expect(existsSync(join(root, '.cache', 'build-app.lock'))).toBe(false)
})
