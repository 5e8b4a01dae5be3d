import { describe, expect, it } from 'vitest'
import { doubtOf, doubtOfWord, isDoubtful, type QuestionMeasures, type WordMeasures } from './doubt.ts'

const FOUND: WordMeasures = { nearest: 0.9, lack: 0, rare: 0, concrete: 0, name: 0, last: 0 }
const WITHOUT: WordMeasures = { ...FOUND, nearest: 0.2, lack: 0.3 }
const QUESTION: QuestionMeasures = {
  alignment: 0.7,
  passageAlignment: 0.75,
  partly: 0.1,
  split: 0.1,
  strangest: 0.5,
  value: 0,
  yesNo: 0,
  anyMissing: 0,
  count: 0.3,
}

describe('doubtOf', () => {
  it('doubtOf is above the limit if one name of a question has no counterpart', () => {
    expect(isDoubtful(doubtOf([FOUND, FOUND, FOUND], QUESTION), null)).toBe(false)
    expect(isDoubtful(doubtOf([FOUND, FOUND, { ...WITHOUT, name: 1 }], QUESTION), null)).toBe(true)
  })

  it('doubtOf adds the doubts of several words', () => {
    const one = doubtOf([WITHOUT], QUESTION)
    expect(doubtOf([WITHOUT, WITHOUT], QUESTION)).toBeCloseTo(one + doubtOfWord(WITHOUT))
  })

  it.each<[string, WordMeasures, WordMeasures]>([
    ['a word without a counterpart', WITHOUT, FOUND],
    ['a name', { ...WITHOUT, name: 1 }, WITHOUT],
    ['a common thing', { ...WITHOUT, concrete: 1 }, WITHOUT],
    ['a rare word', { ...WITHOUT, rare: 1 }, WITHOUT],
  ])('doubtOfWord is higher for %s', (_, more, less) => {
    expect(doubtOfWord(more)).toBeGreaterThan(doubtOfWord(less))
  })

  it('doubtOf is lower for a question with the answer yes or no, and higher for a question about a value', () => {
    const usual = doubtOf([FOUND], QUESTION)
    expect(doubtOf([FOUND], { ...QUESTION, yesNo: 1 })).toBeLessThan(usual)
    expect(doubtOf([FOUND], { ...QUESTION, value: 1 })).toBeGreaterThan(usual)
  })
})
