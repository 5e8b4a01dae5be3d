import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { problemsOf, requirementsOf, testTitles } from './specification.ts'

const rows = requirementsOf(readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8'))

/** Maximum number of rows with 'no test yet' in docs/specification.md. Do not increase it. */
const UNTESTED_AT_MOST = 0

describe('docs/specification.md', () => {
  it('docs/specification.md names, for every requirement, a file with a test of its id', () => {
    expect(rows.length).toBeGreaterThan(500)
    expect(problemsOf(rows)).toEqual([])
  })

  it(`docs/specification.md has at most ${UNTESTED_AT_MOST} requirements without a test`, () => {
    const untested = rows.filter((row) => row.state === 'untested').map((row) => row.id)
    expect(untested.length, untested.join(' ')).toBeLessThanOrEqual(UNTESTED_AT_MOST)
  })
})

describe('the check of the table', () => {
  const files: Record<string, string> = {
    'tests/api/a.test.ts': `describe('naps', () => {
      it('a nap helps (NAP-01)', () => {})
      it.each([['a', (x) => x]])('naps are %s (NAP-02, NAP-03)', async (how) => {})
      it.skipIf(!there)("aren't long, or are", { timeout: 1 }, () => {})
    })`,
  }
  const problems = (row: string, more = '') =>
    problemsOf(requirementsOf(`| ${row} |\n${more}`), (path) => files[path] ?? null)

  it.each([
    ['no test', 'NAP-01 | Naps help. | '],
    ['words instead of a test', 'NAP-01 | Naps help. | tried by hand'],
    ['a file that does not exist', 'NAP-01 | Naps help. | `tests/api/b.test.ts`'],
    ['a file whose tests do not name the id', 'NAP-04 | Naps help. | `tests/api/a.test.ts`'],
    ['a later feature without a reason', 'NAP-01 | Naps help. | not yet'],
    ['a requirement without words', 'NAP-01 |  | `tests/api/a.test.ts`'],
  ])('The specification law reports %s', (_what, row) => {
    expect(problems(row)).toHaveLength(1)
  })

  it('The specification law reports a requirement that occurs twice', () => {
    expect(problems('NAP-01 | Naps help. | no test yet', '| NAP-01 | Naps help. | no test yet |')).toEqual([
      'NAP-01 occurs twice',
    ])
  })

  it.each([
    ['a test of the id', 'NAP-01 | Naps help. | `tests/api/a.test.ts`'],
    ['a test of several ids', 'NAP-03 | Naps are good. | `tests/api/a.test.ts`'],
    ['a later feature with its reason', 'NAP-01 | Naps help. | not yet: beds'],
    ['an open debt', 'NAP-01 | Naps help. | no test yet'],
  ])('The specification law accepts %s', (_what, row) => {
    expect(problems(row)).toEqual([])
  })

  it('testTitles finds the titles of tests in every form', () => {
    expect(testTitles(files['tests/api/a.test.ts']!)).toEqual([
      'a nap helps (NAP-01)',
      'naps are %s (NAP-02, NAP-03)',
      "aren't long, or are",
    ])
  })
})
