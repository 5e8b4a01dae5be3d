import { describe, expect, it } from 'vitest'
import { debianMirror } from './apt-sources.mjs'

const MIRROR = 'http://apt.example.org/debian'
const list = (text) => [{ path: '/etc/apt/sources.list', text }]
const stanzas = (text) => [{ path: '/etc/apt/sources.list.d/debian.sources', text }]

describe('debianMirror', () => {
  it('debianMirror reads the one-line form, with and without options', () => {
    expect(debianMirror(list(`deb ${MIRROR} bookworm main contrib\n`))).toEqual({ mirror: MIRROR, keyring: undefined })
    expect(debianMirror(list(`deb [arch=amd64 signed-by=/k.gpg] ${MIRROR} bookworm main`))).toEqual({
      mirror: MIRROR,
      keyring: '/k.gpg',
    })
  })

  it('debianMirror reads the form of stanzas, with comments inside', () => {
    const text = `Types: deb\n# a comment\nURIs: ${MIRROR}\nSuites: bookworm bookworm-updates\nComponents: main\nSigned-By: /k.gpg\n`
    expect(debianMirror(stanzas(text))).toEqual({ mirror: MIRROR, keyring: '/k.gpg' })
  })

  it.each([
    ['a comment', list(`# deb ${MIRROR} bookworm main`)],
    ['sources of programs', list(`deb-src ${MIRROR} bookworm main`)],
    ['security updates', list('deb http://apt.example.org/debian-security bookworm-security main')],
    ['another publisher', list('deb https://packages.example.org/tools stable main')],
    ['a part without main', list(`deb ${MIRROR} bookworm contrib`)],
    [
      'a stanza that is switched off',
      stanzas(`Enabled: no\nTypes: deb\nURIs: ${MIRROR}\nSuites: trixie\nComponents: main`),
    ],
    ['a stanza of sources', stanzas(`Types: deb-src\nURIs: ${MIRROR}\nSuites: trixie\nComponents: main`)],
    ['nothing', []],
  ])('debianMirror does not accept %s as a mirror', (_, files) => {
    expect(debianMirror(files)).toBeNull()
  })

  it('debianMirror skips other sources before a mirror', () => {
    const security = 'deb http://apt.example.org/debian-security bookworm-security main'
    expect(
      debianMirror([...list(security), ...stanzas(`Types: deb\nURIs: ${MIRROR}\nSuites: trixie\nComponents: main`)])
        ?.mirror,
    ).toBe(MIRROR)
  })
})
