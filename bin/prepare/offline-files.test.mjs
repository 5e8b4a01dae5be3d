import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { linkFiles, shippedPackages } from './offline-files.mjs'

const folder = mkdtempSync(join(tmpdir(), 'lectern-offline-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('The archive has the packages of the lock file that are not for development, without nested and unused files', () => {
  const packages = shippedPackages({
    packages: {
      '': {},
      'node_modules/a': {},
      'node_modules/a/node_modules/b': { dev: true },
      'node_modules/tool': { dev: true },
      'node_modules/other-system': { optional: true },
      'node_modules/@tesseract.js-data/eng': {},
    },
  })
  expect(packages).toEqual(['node_modules/a', 'node_modules/other-system', 'node_modules/@tesseract.js-data/eng'])
  const files = {
    'node_modules/a/lib/index.js': true,
    'node_modules/a/node_modules/b/index.js': false,
    'node_modules/tool/index.js': false,
    'node_modules/@tesseract.js-data/eng/4.0.0/eng.traineddata.gz': false,
    'node_modules/@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz': true,
  }
  for (const path of Object.keys(files)) {
    mkdirSync(dirname(join(folder, 'from', path)), { recursive: true })
    writeFileSync(join(folder, 'from', path), path)
  }
  linkFiles(join(folder, 'from'), join(folder, 'to'), packages)
  const linked = Object.keys(files).map((path) => [path, existsSync(join(folder, 'to', path))])
  expect(Object.fromEntries(linked)).toEqual(files)
})
