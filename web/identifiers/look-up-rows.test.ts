import { describe, expect, it } from 'vitest'
import { identifierKey, type LookedUpLine } from '#shared/contract/identifiers.ts'
import { countsInWords, lookUpRows } from './look-up-rows.ts'
import { shortReference } from './short-reference.ts'

const found = (DOI: string): LookedUpLine => ({
  line: 0,
  kind: 'doi',
  value: DOI,
  state: 'found',
  service: 'Crossref',
  message: null,
  paper: { reference: { type: 'article-journal', title: 'Naps', DOI }, retracted: false, semantic_paperid: null },
  document: null,
})
const results = (entries: Record<string, LookedUpLine>) =>
  new Map(Object.entries(entries).map(([line, result]) => [identifierKey(line)!, result]))

describe('lookUpRows', () => {
  it('lookUpRows marks a line as looked up until its result is known, and as unknown without an identifier', () => {
    const rows = lookUpRows(['10.5555/a', '38552117', 'naps'], results({ '10.5555/A': found('10.5555/a') }))
    expect(rows.map(({ kind, state, message }) => [kind, state, message])).toEqual([
      ['DOI', 'found', undefined],
      ['PMID', 'looking', 'Asking OpenAlex'],
      [undefined, 'unknown', expect.stringContaining('This is not a DOI')],
    ])
    expect(countsInWords(rows)).toBe('1 found, 1 not found, 1 being looked up')
  })

  it('lookUpRows marks a second identifier of the same paper as repeated', () => {
    const rows = lookUpRows(
      ['10.5555/a', 'https://doi.org/10.5555/A', '38552117'],
      results({ '10.5555/a': found('10.5555/a'), '38552117': found('10.5555/A') }),
    )
    expect(rows.map(({ state, message }) => message ?? state)).toEqual([
      'found',
      'The same paper as line 1.',
      'The same paper as line 1.',
    ])
  })
})

describe('shortReference', () => {
  it.each([
    [
      {
        author: [
          { family: 'Idowu', given: 'Bola' },
          { family: 'Berg', given: 'Eva-Lena', 'non-dropping-particle': 'van' },
        ],
      },
      'Idowu B, van Berg EL. Sleep, 2026',
    ],
    [{ author: ['A', 'B', 'C', 'D'].map((name) => ({ literal: `${name} Group` })) }, 'A Group et al. Sleep, 2026'],
    [
      { editor: [{ family: 'Marlowe' }], 'container-title': undefined, publisher: 'Press' },
      'Marlowe (editor). Press, 2026',
    ],
    [{ type: 'article' as const, 'container-title': undefined, issued: undefined }, 'Preprint'],
  ])('shortReference: %o is %s', (change, text) => {
    const issued = { 'date-parts': [[2026]] }
    expect(shortReference({ type: 'book', 'container-title': 'Sleep', issued, ...change })).toBe(text)
  })
})
