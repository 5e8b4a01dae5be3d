import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isTest, sourceFiles } from './source-files.ts'
import { testTitles } from './specification.ts'

/**
 * docs/security.md lists every requirement of OWASP ASVS 5.0 up to level 2. This file checks that the list is complete and that
 * the files and tests that it names exist.
 */

/** The numbers of all requirements up to level 2, by section. '1.2: 1-9' means V1.2.1 to V1.2.9. */
const REQUIREMENTS = `
  1.1: 1-2, 1.2: 1-9, 1.3: 1-11, 1.4: 1-3, 1.5: 1-2, 2.1: 1-3, 2.2: 1-3, 2.3: 1-4, 2.4: 1, 3.2: 1-2,
  3.3: 1-4, 3.4: 1-6, 3.5: 1-5, 3.7: 1-2, 4.1: 1-3, 4.2: 1, 4.3: 1-2, 4.4: 1-4, 5.1: 1, 5.2: 1-3,
  5.3: 1-2, 5.4: 1-3, 6.1: 1-3, 6.2: 1-12, 6.3: 1-4, 6.4: 1-4, 6.5: 1-5, 6.6: 1-3, 6.8: 1-4, 7.1: 1-3,
  7.2: 1-4, 7.3: 1-2, 7.4: 1-5, 7.5: 1-2, 7.6: 1-2, 8.1: 1-2, 8.2: 1-3, 8.3: 1, 8.4: 1, 9.1: 1-3,
  9.2: 1-4, 10.1: 1-2, 10.2: 1-2, 10.3: 1-4, 10.4: 1-11, 10.5: 1-5, 10.6: 1-2, 10.7: 1-3, 11.1: 1-2,
  11.2: 1-3, 11.3: 1-3, 11.4: 1-4, 11.5: 1, 11.6: 1, 12.1: 1-3, 12.2: 1-2, 12.3: 1-4, 13.1: 1,
  13.2: 1-5, 13.3: 1-2, 13.4: 1-5, 14.1: 1-2, 14.2: 1-4, 14.3: 1-3, 15.1: 1-3, 15.2: 1-3, 15.3: 1-7,
  16.1: 1, 16.2: 1-5, 16.3: 1-4, 16.4: 1-3, 16.5: 1-3
`

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

const wanted = REQUIREMENTS.split(/\s*,\s*/).flatMap((entry) => {
  const [section, list = ''] = entry.trim().split(': ')
  return list.split(' ').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, at) => `V${section}.${from + at}`)
  })
})

const ROW = /^\| (V\d+\.\d+\.\d+) \| [^|]+ \| ([^|]+) \| (.*) \|$/

interface Row {
  id: string
  state: string
  how: string
}
const rowsOf = (markdown: string): Row[] =>
  markdown.split('\n').flatMap((line) => {
    const [, id, state, how] = ROW.exec(line) ?? []
    return id === undefined ? [] : [{ id, state: state!, how: how! }]
  })

/** Returns a test title without the requirement ids at its end. */
const withoutIds = (title: string) => title.replace(/ \([A-Z]+-\d{2,3}(, [A-Z]+-\d{2,3})*\)$/, '')

/**
 * Returns the problems of a row: the state is unknown, a proof or a reason is missing, or a named file or test does not exist.
 */
function problemsOf({ id, state, how }: Row): string[] {
  const named = [...how.matchAll(/`([^`]+)`/g)]
    .map((found) => found[1]!)
    .filter((name) => /^[\w./-]+\.\w+(?: › |$)/.test(name) && /\/|\.md$|\.json$/.test(name))
  if (!['meets', 'gap', 'operator', 'does not apply'].includes(state)) return [`${id} is '${state}'`]
  if (state === 'meets' && named.length === 0) return [`${id} names nothing that proves it`]
  if (how.trim() === '') return [`${id} does not say why`]
  return named.flatMap((name) => {
    const [path = '', ...title] = name.split(' › ')
    if (!existsSync(new URL(path, root))) return [`${id}: there is no ${path}`]
    if (title.length === 0) return []
    const titles = testTitles(read(path)).map(withoutIds)
    return titles.includes(withoutIds(title.join(' › '))) ? [] : [`${id}: ${path} has no test '${title.join(' › ')}'`]
  })
}

describe('docs/security.md', () => {
  const rows = rowsOf(read('docs/security.md'))

  it('docs/security.md has a row for every requirement, in order', () => {
    expect(wanted).toHaveLength(246)
    expect(rows.map(({ id }) => id)).toEqual(wanted)
  })

  it('docs/security.md names existing files and tests', () => {
    expect(rows.flatMap(problemsOf)).toEqual([])
  })

  it('The security law reports rows without proof and missing files and tests', () => {
    const broken = (state: string, how: string) => problemsOf({ id: 'V1.1.1', state, how })
    expect(broken('meets', 'words alone')).toHaveLength(1)
    expect(broken('gap', '')).toHaveLength(1)
    expect(broken('perhaps', 'words')).toHaveLength(1)
    expect(broken('meets', '`server/no-such-file.ts`')).toHaveLength(1)
    expect(broken('meets', '`tests/laws/security.test.ts › no such test`')).toHaveLength(1)
    expect(broken('meets', '`server/app.ts`')).toEqual([])
  })
})

/** The source files that the running server uses. Excludes commands for operators, which may start other programs. */
const shipped = sourceFiles('server').filter(({ path }) => !isTest(path) && !path.endsWith('-command.ts'))

it('The server starts no other program', () => {
  expect(shipped.filter(({ text }) => /['"](?:node:)?child_process['"]/.test(text)).map(({ path }) => path)).toEqual([])
})

it('The server always verifies certificates', () => {
  const off = /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/
  expect(shipped.filter(({ text }) => off.test(text)).map(({ path }) => path)).toEqual([])
})
