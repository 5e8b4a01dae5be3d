import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * The audit of what is installed, which needs no network: every version is pinned and has a checksum, no program of a
 * package runs while it is installed, and nothing that ships is under a licence that binds those who use it.
 */
interface Package {
  version?: string
  integrity?: string
  license?: string
  dev?: boolean
  link?: boolean
  inBundle?: boolean
  hasInstallScript?: boolean
}
interface Lock {
  packages: Record<string, Package>
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
const lock = JSON.parse(read('package-lock.json')) as Lock

const nameOf = (path: string) => path.split('node_modules/').at(-1)!

/** Direct dependencies whose version is a range. */
const unpinned = (sections: Record<string, string>[]) =>
  sections
    .flatMap((section) => Object.entries(section))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))

/** Packages that would run a program of their own while they are installed. None does: .npmrc says ignore-scripts. */
const SCRIPTS: Record<string, string> = {
  '@scarf/scarf': 'would report the installation to its maker',
  esbuild: 'would only make its first start faster',
  'tesseract.js': 'would only print a request for donations',
}

/** Licences that ask for no more than to be named, and those that bind changes of the package itself alone (MPL, OFL). */
const FREE =
  /^(?:MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|MPL-2\.0|OFL-1\.1|Unlicense|CC0-1\.0|BlueOak-1\.0\.0|Python-2\.0)$/
/** Shipped beside the program as a library of its own that anybody may replace, which is what the LGPL asks for. */
const REPLACEABLE = /^@img\/sharp-/

/** Whether a licence expression leaves those who use the program free: every AND of it, or one OR. */
function isFree(name: string, licence: string | undefined): boolean {
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
          ? [`${name} has an install script: look at it, and say why it is left out`]
          : []),
        ...(one.dev || isFree(name, one.license) ? [] : [`${name} ships under ${one.license ?? 'no licence'}`]),
      ]
    })

describe('what is installed', () => {
  it('is pinned to exact versions', () => {
    const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'].map(
      (name) => manifest[name]!,
    )
    expect(sections.flatMap((section) => Object.keys(section)).length).toBeGreaterThan(50)
    expect(unpinned(sections)).toEqual([])
  })

  it('has checksums, no install script that nobody looked at, and free licences', () => {
    expect(Object.keys(lock.packages).length).toBeGreaterThan(300)
    expect(problems(lock)).toEqual([])
  })

  it('runs no program while it is installed', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m)
    const scripted = Object.entries(lock.packages).filter(([, one]) => one.hasInstallScript)
    expect([...new Set(scripted.map(([path]) => nameOf(path)))].toSorted()).toEqual(Object.keys(SCRIPTS).toSorted())
  })
})

describe('the audit notices', () => {
  it.each([
    ['a package without a checksum', { license: 'MIT' }],
    ['an install script', { license: 'MIT', integrity: 'x', hasInstallScript: true }],
    ['the GPL', { license: 'GPL-3.0-or-later', integrity: 'x' }],
    ['the AGPL', { license: 'AGPL-3.0-only', integrity: 'x' }],
    ['the GPL beside another', { license: 'MIT AND GPL-2.0-only', integrity: 'x' }],
    ['no licence at all', { integrity: 'x' }],
  ])('%s', (_what, one) => {
    expect(problems({ packages: { 'node_modules/new-package': one } })).toHaveLength(1)
  })

  it('a range, and leaves a free choice alone', () => {
    expect(unpinned([{ a: '^1.0.0', b: 'latest', c: '1.2.3', d: '*' }]).map(([name]) => name)).toEqual(['a', 'b', 'd'])
    expect(problems({ packages: { 'node_modules/a': { license: '(GPL-2.0 OR MIT)', integrity: 'x' } } })).toEqual([])
  })
})
