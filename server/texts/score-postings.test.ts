import { describe, expect, it } from 'vitest'
import { scorePostings } from './score-postings.ts'

const [A, B] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']
const OPTIONS = { meanLength: 10, needed: [], limit: 10 }
const NAP = { term: 'nap', weight: 2, postings: `${B}{0,12}{1,3}{10,10}${A}{-1}{1}{5}` }
const WALK = { term: 'walk', weight: 1, postings: `${B}{12}{1}{10}` }

describe('scorePostings', () => {
  it('scorePostings adds the BM25 of each term and orders the passages by it (LIB-20)', () => {
    const { hits, ...counts } = scorePostings([NAP, WALK], OPTIONS)
    expect(counts).toEqual({ passages: 3, papers: 2 })
    expect(hits.map(([id, position]) => [id, position])).toEqual([
      [B, 12],
      [A, -1],
      [B, 0],
    ])
    expect(hits[0]![2]).toBeCloseTo((2 * 3 * 2.2) / (3 + 1.2) + 1, 10)
    expect(hits[1]![2]).toBeCloseTo((2 * 2.2) / (1 + 1.2 * (0.25 + 0.75 * 0.5)), 10)
    expect(hits[2]![2]).toBeCloseTo(2, 10)
  })

  it('scorePostings returns the best passages up to the limit and counts all', () => {
    const { hits, passages } = scorePostings([NAP, WALK], { ...OPTIONS, limit: 1 })
    expect([hits.length, hits[0]![1], passages]).toEqual([1, 12, 3])
  })

  it('scorePostings orders passages of equal score by paper and position', () => {
    const equal = { term: 'nap', weight: 1, postings: `${B}{2,1}{1,1}{10,10}${A}{3}{1}{10}` }
    const places = scorePostings([equal], { ...OPTIONS, limit: 2 }).hits.map(([id, position]) => [id, position])
    expect(places).toEqual([
      [A, 3],
      [B, 1],
    ])
  })

  it('scorePostings omits passages that lack a group of needed terms', () => {
    const of = (needed: string[][][]) => {
      const { passages, papers, hits } = scorePostings([NAP, WALK], { ...OPTIONS, needed })
      return [passages, papers, hits.map(([, position]) => position)]
    }
    expect(of([[['nap', 'walk']]])).toEqual([1, 1, [12]])
    expect(of([[['walk'], ['nap']]])).toEqual([3, 2, [12, -1, 0]])
    expect(of([[['nap']], [['sleep']]])).toEqual([0, 0, []])
  })

  it('scorePostings finds nothing in empty lists', () =>
    expect(scorePostings([{ ...NAP, postings: '' }], OPTIONS)).toEqual({ passages: 0, papers: 0, hits: [] }))
})
