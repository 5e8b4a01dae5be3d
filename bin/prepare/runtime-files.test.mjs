import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { root } from './programs.mjs'
import { LOADED, linkPackages, READ, runtimePackages } from './runtime-files.mjs'

const folder = mkdtempSync(join(tmpdir(), 'lectern-runtime-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lock = {
  packages: {
    '': { dependencies: { sharp: '1', hono: '1', '@tesseract.js-data/eng': '1' } },
    ...Object.fromEntries([...LOADED, ...READ].map((name) => [`node_modules/${name}`, {}])),
    'node_modules/sharp': { dependencies: { semver: '2' }, optionalDependencies: { '@img/other-system': '1' } },
    'node_modules/sharp/node_modules/semver': { dependencies: { tslib: '1' } },
    'node_modules/semver': {},
    'node_modules/tslib': {},
    'node_modules/@img/other-system': { optional: true },
    'node_modules/hono': {},
    'node_modules/tool': { dev: true },
    'node_modules/@tesseract.js-data/eng': {},
  },
}

it('The runtime packages are those that the server loads, with their dependencies, and those that it reads', () => {
  const others = [...LOADED, ...READ].map((name) => `node_modules/${name}`)
  expect(runtimePackages(lock).toSorted()).toEqual(
    [
      ...others,
      'node_modules/@img/other-system',
      'node_modules/@tesseract.js-data/eng',
      'node_modules/sharp/node_modules/semver',
      'node_modules/tslib',
    ].toSorted(),
  )
})

it('linkPackages links only the licences of bundled packages, and no parts for other machines', () => {
  const files = {
    'node_modules/sharp/lib/index.js': true,
    'node_modules/sharp/lib/index.js.map': false,
    'node_modules/sharp/node_modules/semver/index.js': true,
    'node_modules/semver/index.js': false,
    'node_modules/semver/LICENSE': true,
    'node_modules/hono/dist/index.js': false,
    'node_modules/hono/LICENSE': true,
    'node_modules/tool/LICENSE': false,
    'node_modules/onnxruntime-node/bin/napi-v6/linux/arm64/a.node': true,
    'node_modules/onnxruntime-node/bin/napi-v6/linux/x64/a.node': false,
    'node_modules/@tesseract.js-data/eng/4.0.0/eng.traineddata.gz': false,
    'node_modules/@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz': true,
  }
  for (const path of Object.keys(files)) {
    mkdirSync(dirname(join(folder, 'from', path)), { recursive: true })
    writeFileSync(join(folder, 'from', path), path)
  }
  linkPackages(join(folder, 'from'), join(folder, 'to'), lock, { platform: 'linux', arch: 'arm64' })
  const linked = Object.keys(files).map((path) => [path, existsSync(join(folder, 'to', path))])
  expect(Object.fromEntries(linked)).toEqual(files)
})

it('The lists have every package whose files the server finds by a path', () => {
  const read = readdirSync(join(root, 'server'), { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [
      ...readFileSync(join(root, 'server', name), 'utf8').matchAll(
        /(?:node_modules\/|\.resolve\(['`])((?:@[\w.-]+\/)?[\w.-]+)(?=\/[\w$])/g,
      ),
    ])
    .map(([, name]) => name)
  expect(read.length).toBeGreaterThan(3)
  expect(read.filter((name) => !name.startsWith('.') && ![...LOADED, ...READ].includes(name))).toEqual([])
})
