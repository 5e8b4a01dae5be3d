import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { problemsOf, requirementsOf, testTitles } from './specification.ts'

const rows = requirementsOf(readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8'))

/** Maximum number of rows with 'no test yet'. This number may only decrease. */
const UNTESTED_AT_MOST = 0

describe('docs/specification.md', () => {
  it('docs/specification.md names an existing test for every requirement', () => {
    expect(rows.length).toBeGreaterThan(500)
    expect(problemsOf(rows)).toEqual([])
  })

  it(`docs/specification.md has at most ${UNTESTED_AT_MOST} requirements without a test`, () => {
    const untested = rows.filter((row) => row.state === 'untested').map((row) => row.id)
    expect(untested.length, untested.join(' ')).toBeLessThanOrEqual(UNTESTED_AT_MOST)
  })
})

describe('specification law on samples', () => {
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
    ['a text instead of a test', 'tested manually'],
    ['a missing file', '`tests/api/b.test.ts › help`'],
    ['a missing test', '`tests/api/a.test.ts › hurt`'],
    ['a group of tests', '`tests/api/a.test.ts › naps`'],
    ['an ambiguous name', '`tests/api/a.test.ts › are`'],
    ['a planned feature without a reason', 'not yet'],
  ])('The specification law reports %s', (_what, checked) => {
    expect(problems(checked)).toHaveLength(1)
  })

  it('The specification law reports a requirement that is listed twice', () => {
    expect(problems('no test yet', '| NAP-01 | Naps help. | no test yet |')).toEqual(['NAP-01 is listed twice'])
  })

  it.each([
    ['a whole name', '`tests/api/a.test.ts › help`'],
    ['a part of a name', '`tests/api/a.test.ts › NAP-02`'],
    ['two tests', '`tests/api/a.test.ts › help`, `tests/api/a.test.ts › long`'],
    ['a planned feature', 'not yet: beds'],
    ['a missing test', 'no test yet'],
  ])('The specification law accepts %s', (_what, checked) => {
    expect(problems(checked)).toEqual([])
  })

  it('testTitles returns titles in every notation', () => {
    expect(testTitles(files['tests/api/a.test.ts']!)).toEqual(['help', 'are %s (NAP-02)', "aren't long, or are"])
  })
})
