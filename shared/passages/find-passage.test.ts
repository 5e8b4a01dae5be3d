import { describe, expect, it } from 'vitest'
import { seeded } from '#tests/helpers/random.ts'
import { findPassage, locateIn, normalizeWithMap } from './find-passage.ts'
import type { PageText } from '../pdf-text/page-text.ts'

const pagesOf = (...texts: string[]): PageText[] => texts.map((text, index) => ({ page: index + 1, text, start: 0 }))
const slice = (pages: PageText[], found: { page: number | null; start: number | null; end: number | null }) =>
  pages.find((page) => page.page === found.page)?.text.slice(found.start!, found.end!)

const SYLLABLES = ['sal', 'mi', 'tor', 'en', 'ap', 'ñu', 'ré', 'kel', 'vo', 'ling', 'ost', 'ß', 'qua', 'ix', 'dre']
function randomText(next: () => number, words: number): string {
  const word = () =>
    Array.from({ length: 1 + Math.floor(next() * 4) }, () => SYLLABLES[Math.floor(next() * SYLLABLES.length)]).join('')
  return Array.from({ length: words }, () => word() + (next() < 0.12 ? '. ' : next() < 0.05 ? '\n' : ' ')).join('')
}

const paper = pagesOf(
  'Sleep and tea. We asked 120 nurses about their sleep.\nTea drinkers slept 42 minutes longer (p < .05) than non-\ndrinkers did.',
  'Our find-\nings suggest that “green” tea helps.\nThe eﬀect was small and the study was',
  'short, so replication is needed. Tea is said to calm. AI was not used. Tea helps.',
)

describe('findPassage', () => {
  it.each([
    [
      'letter for letter',
      'We asked 120 nurses about their sleep.',
      1,
      'exact',
      'We asked 120 nurses about their sleep.',
    ],
    [
      'over a line break and a hyphen',
      'longer (p < .05) than non-drinkers did.',
      1,
      'letters',
      'longer (p < .05) than non-\ndrinkers did.',
    ],
    [
      'with other quotation marks',
      'Our findings suggest that "green" tea helps.',
      2,
      'letters',
      'Our find-\nings suggest that “green” tea helps.',
    ],
    ['with a ligature', 'The effect was small', 2, 'letters', 'The eﬀect was small'],
    ['in another case', 'TEA DRINKERS SLEPT', 1, 'letters', 'Tea drinkers slept'],
    [
      'over a page break, on the page that contains most of it',
      'the study was short, so replication is needed.',
      3,
      'letters',
      'short, so replication is needed.',
    ],
    [
      'in parts around an ellipsis',
      'Tea drinkers slept 42 minutes … non-drinkers did.',
      1,
      'letters',
      'Tea drinkers slept 42 minutes longer (p < .05) than non-\ndrinkers did.',
    ],
    [
      'in parts around [...]',
      'We asked 120 nurses [...] slept 42 minutes longer',
      1,
      'letters',
      'We asked 120 nurses about their sleep.\nTea drinkers slept 42 minutes longer',
    ],
    ['as a whole word before inside another', 'AI', 3, 'exact', 'AI'],
  ])('findPassage finds a quote %s', (_, quote, page, match, text) => {
    const found = findPassage(paper, quote)
    expect(found).toMatchObject({ quote, page, match, score: 1 })
    expect(slice(paper, found)).toBe(text)
  })

  it.each([
    ['on one page', pagesOf(`Tea drinkers slept${' '.repeat(100_000)}42 minutes longer.`)],
    ['over a page break', pagesOf(`Tea drinkers slept 42${'.'.repeat(100_000)}min`, 'utes longer.')],
    ['with an error', pagesOf(`Tea drinkers slept${'\u2003'.repeat(100_000)}42 minutes langer.`)],
  ])('findPassage does not find a quote in a place that is a thousand times longer %s', (_, pages) => {
    expect(findPassage(pages, 'Tea drinkers slept 42 minutes longer.')).toMatchObject({ match: 'none', start: null })
  })

  it('findPassage finds a quote over the dots of a table of contents', () => {
    const [page] = pagesOf(`Tea and sleep ${'. '.repeat(60)}12`)
    expect(slice([page!], findPassage([page!], 'Tea and sleep 12'))).toBe(page!.text)
  })

  it('findPassage finds a slightly different wording and returns its score', () => {
    const found = findPassage(paper, 'We asked 130 nurses all about their sleep.')
    expect(found).toMatchObject({ page: 1, match: 'approximate' })
    expect(found.score).toBeGreaterThanOrEqual(0.75)
    expect(found.score).toBeLessThan(1)
    expect(slice(paper, found)).toContain('nurses about their sleep')
  })

  it.each(['Coffee shortened the nights of all shift workers.', 'aid', '…', '', '   ', 'x'])(
    'findPassage does not find %j',
    (quote) => {
      expect(findPassage(paper, quote)).toMatchObject({ page: null, start: null, end: null, match: 'none', score: 0 })
    },
  )

  it('findPassage prefers the page nearest to `nearPage`, otherwise the first', () => {
    const pages = pagesOf('Rest heals.', 'No.', 'Rest heals.', 'Rest heals.')
    expect(findPassage(pages, 'Rest heals.').page).toBe(1)
    expect(findPassage(pages, 'Rest heals.', { nearPage: 4 }).page).toBe(4)
    expect(findPassage(pages, 'rest heals', { nearPage: 2 }).page).toBe(1)
  })

  it('findPassage finds every verbatim slice of random texts with exact offsets', () => {
    const next = seeded(7)
    for (let round = 0; round < 150; round++) {
      const pages = pagesOf(...Array.from({ length: 1 + Math.floor(next() * 4) }, () => randomText(next, 80)))
      const page = pages[Math.floor(next() * pages.length)]!
      const from = Math.floor(next() * (page.text.length - 60))
      const quote = page.text.slice(from, from + 12 + Math.floor(next() * 45)).trim()
      const found = findPassage(pages, quote)
      expect(found).toMatchObject({ match: 'exact', score: 1 })
      expect(slice(pages, found)).toBe(quote)
    }
  })

  it('findPassage finds random slices with changed spaces, case and hyphens by letters and digits', () => {
    const next = seeded(11)
    for (let round = 0; round < 100; round++) {
      const pages = pagesOf(randomText(next, 120), randomText(next, 120))
      const words = pages[1]!.text.split(/\s+/).slice(20, 32)
      const quote = words
        .join('\n')
        .toUpperCase()
        .replace(/(\p{L}{3})(\p{L}{3})/u, '$1-\n$2')
      const found = findPassage(pages, quote)
      expect(found).toMatchObject({ page: 2, match: 'letters', score: 1 })
      expect(normalizeWithMap(slice(pages, found)!).text).toBe(normalizeWithMap(quote).text)
    }
  })

  it('findPassage finds random slices with a few wrong letters approximately', () => {
    const next = seeded(23)
    for (let round = 0; round < 60; round++) {
      const pages = pagesOf(randomText(next, 150), randomText(next, 150), randomText(next, 150))
      const from = 200 + Math.floor(next() * 100)
      const original = pages[2]!.text.slice(from, from + 160)
      const quote = [...original].map((c, at) => (at % 16 === 8 ? 'z' : c)).join('')
      const found = findPassage(pages, quote)
      expect(found).toMatchObject({ page: 3, match: 'approximate' })
      expect(Math.abs(found.start! - from)).toBeLessThan(12)
    }
  })
})

it.each([' ', '\n', '( '])('findPassage reads 400,000 times %j in a quote in linear time', (space) => {
  const quote = `Tea drinkers${space.repeat(400_000)}slept later`
  expect(findPassage(paper, quote).match).toBe('approximate')
})

it.each([
  'Tea drinkers … than non-drinkers',
  'Tea drinkers... [...] than non-drinkers',
  'Tea drinkers  (…)  than non-drinkers',
])('findPassage finds the parts around an ellipsis: %j', (quote) => {
  expect(slice(paper, findPassage(paper, quote))).toBe(
    'Tea drinkers slept 42 minutes longer (p < .05) than non-\ndrinkers',
  )
})

describe('locateIn', () => {
  it('locateIn returns offsets in the text, or null', () => {
    expect(locateIn('A cat sat.', 'cat sat')).toEqual({ start: 2, end: 9, match: 'exact', score: 1 })
    expect(locateIn('A cat sat.', 'a dog ran away')).toBeNull()
  })
})

describe('normalizeWithMap', () => {
  it('normalizeWithMap returns letters and digits with their source offsets', () => {
    expect(normalizeWithMap('A ﬁt—É2²!')).toEqual({ text: 'afite22', map: [0, 2, 2, 3, 5, 6, 7] })
  })

  it('normalizeWithMap counts a surrogate pair as two units', () => {
    expect(normalizeWithMap('𝐀b')).toEqual({ text: 'ab', map: [0, 2] })
  })
})
