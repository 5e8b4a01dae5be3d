import { describe, expect, it } from 'vitest'
import { rank, type Signals } from './rank.ts'

const plain: Signals = {
  words: 5,
  meaning: 0.5,
  kept: null,
  dismissed: null,
  age: 5,
  openAccess: false,
  citedBy: 10,
  vector: Float32Array.of(1, 0),
}
const away = Float32Array.of(0, 1)
const order = (...given: Partial<Signals>[]) =>
  rank(
    given.map((one, at) => ({ ...plain, vector: at === 0 ? plain.vector : away, ...one })),
    given.length,
  ).map(({ index }) => index)

describe('rank', () => {
  it.each<[string, Partial<Signals>[], number[]]>([
    ['a paper with more of the question’s words', [{ words: 1 }, { words: 9 }], [1, 0]],
    ['a paper nearer in meaning', [{ meaning: 0.2 }, { meaning: 0.7 }], [1, 0]],
    ['a paper similar to one of the project', [{ kept: 0.3 }, { kept: 0.3 }, { kept: 0.8 }], [2, 0, 1]],
    ['a paper unlike the dismissed ones', [{ dismissed: 0.9 }, { dismissed: 0.2 }, { dismissed: 0.3 }], [1, 2, 0]],
    ['a newer paper', [{ age: 20 }, { age: 1 }], [1, 0]],
    ['an open-access paper', [{ openAccess: false }, { openAccess: true }], [1, 0]],
    ['a paper with a known date', [{ age: null }, { age: 3 }], [1, 0]],
    [
      'an open-access paper to one with a date in the future',
      [
        { age: -30, openAccess: false },
        { age: 0, openAccess: true },
      ],
      [1, 0],
    ],
  ])('rank prefers %s', (_, given, expected) => {
    expect(order(...given)).toEqual(expected)
  })

  it('rank moves a paper with the title of a chosen one behind a different paper', () => {
    const vectors = [Float32Array.of(1, 0), Float32Array.of(1, 0), Float32Array.of(0, 1)]
    const given = vectors.map((vector, at) => ({ ...plain, vector, words: 9 - at * 0.2 }))
    // The paper with the lowest score, which the scale of scores needs.
    given.push({ ...plain, vector: away, words: 0 })
    expect(rank(given, 3).map(({ index }) => index)).toEqual([0, 2, 1])
  })

  it('rank ignores similarities that are all equal and returns at most `limit` papers', () => {
    expect(order({ words: 9, dismissed: 0.9, kept: 0.9 }, { words: 1, dismissed: 0.9, kept: 0.9 })).toEqual([0, 1])
    expect(rank([plain, plain, plain], 2)).toHaveLength(2)
    expect(rank([], 5)).toEqual([])
    for (const { score } of rank([plain, { ...plain, dismissed: 1 }], 2)) {
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(1)
    }
  })
})
