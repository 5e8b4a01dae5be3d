import { describe, expect, it } from 'vitest'
import type { Reference } from '#shared/contract/references.ts'
import { candidateKeys, comparedReference, compareReferences, explainLikeness } from './index.ts'

const paper: Reference = {
  type: 'article-journal',
  title: 'Copper surfaces and hospital-acquired infections: a randomised trial',
  author: [{ family: 'Okafor', given: 'Ike' }],
  issued: { 'date-parts': [[2020, 2]] },
  volume: '104',
  page: '180-188',
}
const without = (...fields: (keyof Reference)[]): Reference => ({
  ...paper,
  ...Object.fromEntries(fields.map((field) => [field, undefined])),
})
const compare = (a: Reference, b: Reference) => compareReferences(comparedReference(a), comparedReference(b))
const year = (value: number) => ({ issued: { 'date-parts': [[value]] } })

describe('duplicates', () => {
  it.each<[string, Reference, Reference]>([
    [
      'the same DOI and like titles',
      { ...paper, DOI: '10.1/A' },
      { type: 'book', title: 'Copper surfaces and hospital infections', DOI: 'https://doi.org/10.1/a' },
    ],
    [
      'the same arXiv id in another version',
      { ...paper, URL: 'https://arxiv.org/abs/2101.00001v1' },
      { ...paper, DOI: '10.48550/arXiv.2101.00001' },
    ],
    [
      'the same ISBN of a book in another form',
      { ...paper, type: 'book', ISBN: '0-306-40615-2' },
      { ...paper, type: 'book', ISBN: '978-0-306-40615-7' },
    ],
    [
      'title, author, year and first page',
      paper,
      { ...paper, title: paper.title!.toUpperCase(), page: '180-8', volume: undefined, ...year(2021) },
    ],
  ])('References with %s are certainly the same (FMT-41)', (_what, a, b) => {
    expect(compare(a, b)).toBe('certain')
  })

  it.each<[string, Reference, Reference]>([
    [
      'the same DOI and other titles',
      { ...paper, DOI: '10.1/a' },
      { type: 'book', title: 'Zebra fish', DOI: '10.1/a' },
    ],
    ['other DOIs', { ...without('volume', 'page'), DOI: '10.1/a' }, { ...without('volume', 'page'), DOI: '10.1/b' }],
    ['other volumes and pages', paper, { ...paper, volume: '9', page: '1-2' }],
    ['years apart', without('volume'), { ...without('volume'), ...year(2023) }],
    ['other first authors', without('page'), { ...without('page'), author: [{ family: 'Haddad' }] }],
    ['short titles', { ...without('volume'), title: 'Editorial' }, { ...without('volume'), title: 'Editorial' }],
  ])('References with %s are different papers (FMT-42)', (_what, a, b) => {
    expect(compare(a, b)).toBeUndefined()
  })

  it.each<[string, Reference, Reference]>([
    [
      'like titles',
      without('volume', 'page'),
      { ...without('volume', 'page'), title: paper.title!.replace('randomised', 'randomized') },
    ],
    [
      'a title that begins the other',
      without('volume', 'page'),
      { ...without('volume', 'page'), title: 'Copper surfaces and hospital-acquired infections' },
    ],
    ['short titles and one place', { ...paper, title: 'Editorial' }, { ...paper, title: 'Editorial' }],
  ])('References with %s are suspected (FMT-42)', (_what, a, b) => {
    expect(compare(a, b)).toBe('suspected')
  })

  it('The likeness of a preprint and its article is "preprint and article" (FMT-42)', () => {
    const preprint: Reference = {
      ...without('volume', 'page'),
      type: 'article',
      DOI: '10.1101/2019.01.01',
      ...year(2018),
    }
    expect(compare(preprint, { ...paper, DOI: '10.1/a' })).toBe('preprint and article')
  })

  it('The reasons of a suspicion name the likeness of the titles and the equal fields (FMT-08)', () => {
    const of = (a: Reference, b: Reference) => explainLikeness(comparedReference(a), comparedReference(b))
    const variant = { ...paper, title: paper.title!.replace('randomised', 'randomized'), ...year(2021) }
    expect(of(paper, variant)).toMatchObject({
      likeness: 'suspected',
      title_begins: false,
      equal: ['firstAuthor', 'volume', 'firstPage'],
      years_apart: 1,
    })
    expect(of(paper, variant)!.title_likeness).toBeCloseTo(0.98, 1)
    expect(of(paper, { ...paper, title: 'Copper surfaces and hospital-acquired infections' })).toMatchObject({
      title_begins: true,
    })
    expect(of(paper, { type: 'book', title: 'Zebra fish in the laboratory' })).toBeUndefined()
  })

  it('References that can be the same have a common key, and others have none (FMT-43)', () => {
    const keys = (item: Reference) => new Set(candidateKeys(comparedReference(item)))
    const common = (a: Reference, b: Reference) => [
      ...new Set([...keys(a)].filter((key) => keys(b).has(key)).map((key) => key.split(':')[0])),
    ]
    expect(common(paper, { ...paper, title: 'Copper surfaces in wards: a trial' })).toEqual(['place', 'author'])
    expect(common(without('volume'), { ...without('volume'), title: `On ${paper.title}` })).toEqual([
      'end',
      'words',
      'author',
      'pair',
    ])
    expect(common({ ...paper, DOI: '10.1/A' }, { type: 'book', title: 'B', DOI: '10.1/a' })).toEqual(['doi'])
    expect(common(paper, { type: 'book', title: 'Zebra fish in the laboratory' })).toEqual([])
  })
})
