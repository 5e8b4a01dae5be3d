import { describe, expect, it } from 'vitest'
import { bm25, idf, indexTexts } from './bm25.ts'

const TEXTS = [
  'Walking helped older adults to sleep.',
  'Sleeping tablets helped some adults for a week.',
  'The budget of the centre was cut. The budget was small.',
]

describe('bm25', () => {
  const index = indexTexts(TEXTS)

  it('bm25 ranks the text with the question’s words first, with any endings', () => {
    const scores = bm25(index, 'Did the walks help adults sleep?').map(({ score }) => score)
    expect(scores[0]).toBeGreaterThan(scores[1]!)
    expect(scores[1]).toBeGreaterThan(scores[2]!)
    expect(scores[2]).toBe(0)
  })

  it('bm25 computes the published formula', () => {
    // "budget" occurs twice in one of three texts; lengths are 5, 6 and 5 terms.
    const weight = Math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    const lengths = index.texts.map(({ length }) => length)
    const norm = 1.2 * (1 - 0.75 + (0.75 * lengths[2]!) / (lengths.reduce((a, b) => a + b) / 3))
    expect(idf(index, 'budget')).toBeCloseTo(weight, 10)
    expect(bm25(index, 'budget')[2]!.score).toBeCloseTo((weight * 2 * 2.2) / (2 + norm), 10)
  })

  it('bm25 returns the share of the question that a text covers', () => {
    expect(bm25(index, 'budget')[2]!.coverage).toBe(1)
    expect(bm25(index, 'budget zebra')[2]!.coverage).toBeGreaterThan(0)
    expect(bm25(index, 'budget zebra')[2]!.coverage).toBeLessThan(0.5)
    expect(bm25(index, 'what is this?').every(({ score, coverage }) => score === 0 && coverage === 0)).toBe(true)
  })

  it('bm25 accepts an empty collection', () => {
    expect(bm25(indexTexts([]), 'anything')).toEqual([])
    expect(bm25(indexTexts(['the of and']), 'anything')).toEqual([{ score: 0, coverage: 0 }])
  })
})
