import { describe, expect, it } from 'vitest'
import { alignmentsOf, alignWords, placesInLibrary, placesInPaper } from './align-words.ts'

/** The vectors of words. Words with the same meaning have the same vector. */
const MEANINGS: Record<string, number[]> = {
  pupils: [1, 0, 0],
  students: [1, 0, 0],
  draw: [0, 1, 0],
  paint: [0, 0.6, 0.8],
}
const embedWords = async (texts: readonly (readonly string[])[]) =>
  texts.map((words) => words.map((word) => new Float32Array(MEANINGS[word] ?? [0, 0, 1])))

describe('alignWords', () => {
  it('alignWords finds the most similar word of each sentence for each word of the question', async () => {
    const words = await alignWords('Do pupils draw?', ['students paint.', 'It rains'], embedWords)
    expect(words).toEqual([
      { word: 'Do', term: null, cosines: [1, 1] },
      { word: 'pupils', term: 'pupil', cosines: [1, 0] },
      { word: 'draw', term: 'draw', cosines: [expect.closeTo(0.6), 0] },
      { word: '?', term: null, cosines: [1, 1] },
    ])
  })
})

describe('placesInPaper and placesInLibrary', () => {
  it('placesInPaper returns the first 60 texts', () => {
    const texts = new Array<string>(200).fill('students')
    expect(placesInPaper({ texts, quotable: [], units: [], passages: [], similarities: [] })).toHaveLength(60)
  })

  it('placesInLibrary returns all texts of the first eight passages, and the nearest 30 of the others', () => {
    const texts = new Array<string>(100).fill('students')
    const passages = Array.from({ length: 20 }, (_, passage) => Array.from({ length: 5 }, (_, at) => passage * 5 + at))
    const similarities = texts.map((_, at) => at / 100)
    const places = placesInLibrary({ texts, quotable: [], units: [], passages, similarities })
    expect(places).toEqual([...Array(40).keys(), ...[...Array(30).keys()].map((at) => 70 + at)])
  })
})

describe('alignmentsOf', () => {
  it('alignmentsOf weights the words by their IDF, and stopwords little', () => {
    const words = [
      { word: 'the', term: null, cosines: [1, 0] },
      { word: 'pupils', term: 'pupil', cosines: [1, -0.5] },
      { word: 'draw', term: 'draw', cosines: [0, 1] },
    ]
    const idf = new Map([
      ['pupil', 3],
      ['draw', 1.5],
    ])
    expect(alignmentsOf(words, idf)).toEqual([expect.closeTo(0.7), expect.closeTo(0.3)])
  })

  it('alignmentsOf returns nothing for a question without words', () => {
    expect(alignmentsOf([], new Map())).toEqual([])
  })
})
