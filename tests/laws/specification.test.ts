import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { problemsOf, requirementsOf, testTitles } from './specification.ts'

const rows = requirementsOf(readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8'))

/** So many rows may still say 'no test yet'. This number only ever goes down. */
const UNTESTED_AT_MOST = 0

describe('docs/specification.md', () => {
  it('names for every requirement a test that exists', () => {
    expect(rows.length).toBeGreaterThan(500)
    expect(problemsOf(rows)).toEqual([])
  })

  it(`has at most ${UNTESTED_AT_MOST} requirements without a test`, () => {
    const untested = rows.filter((row) => row.state === 'untested').map((row) => row.id)
    expect(untested.length, untested.join(' ')).toBeLessThanOrEqual(UNTESTED_AT_MOST)
  })
})

describe('what is wrong in the table is noticed', () => {
  const files: Record<string, string> = {
    'tests/api/a.test.ts': `describe('naps', () => {
      it('help', () => {})
      it.each([['a', (x) => x]])('are %s (NAP-02)', async (how) => {})
      it.skipIf(!there)("aren't long, or are", { timeout: 1 }, () => {})
    })`,
  }
  const problems = (checked: string, more = '') =>
    problemsOf(requirementsOf(`| NAP-01 | Naps help. | ${checked} |\n${more}`), (path) => files[path] ?? null)

  it.each([
    ['no test', ''],
    ['words instead of a test', 'somebody tried it'],
    ['a file that is not there', '`tests/api/b.test.ts › help`'],
    ['a test that is not there', '`tests/api/a.test.ts › hurt`'],
    ['a group of tests', '`tests/api/a.test.ts › naps`'],
    ['a name that fits several', '`tests/api/a.test.ts › are`'],
    ['a later thing without a reason', 'not yet'],
  ])('%s', (_what, checked) => {
    expect(problems(checked)).toHaveLength(1)
  })

  it('a requirement that stands twice', () => {
    expect(problems('no test yet', '| NAP-01 | Naps help. | no test yet |')).toEqual(['NAP-01 stands twice'])
  })

  it.each([
    ['a whole name', '`tests/api/a.test.ts › help`'],
    ['a part of a name', '`tests/api/a.test.ts › NAP-02`'],
    ['two tests', '`tests/api/a.test.ts › help`, `tests/api/a.test.ts › long`'],
    ['a later thing', 'not yet: beds'],
    ['an open debt', 'no test yet'],
  ])('and %s is right', (_what, checked) => {
    expect(problems(checked)).toEqual([])
  })

  it('the titles of tests are found however they are written', () => {
    expect(testTitles(files['tests/api/a.test.ts']!)).toEqual(['help', 'are %s (NAP-02)', "aren't long, or are"])
  })
})
