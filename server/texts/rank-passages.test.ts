import { describe, expect, it } from 'vitest'
import { type LibraryCandidate, type RankedPassage, rankPassages } from './rank-passages.ts'

const OPTIONS = {
  terms: [
    ['nap', 2],
    ['recal', 1],
  ] as const,
  wordWeight: 0.8,
  leastMeaning: 0.3,
}

/** Returns a passage with a sentence for each of the given cosines. */
function candidate(document_id: string, words: number, similarities: number[], content = ''): LibraryCandidate {
  const text = content || similarities.map((_, at) => `Sentence ${at} of ${document_id}.`).join(' ')
  const length = Math.floor(text.length / Math.max(similarities.length, 1))
  return {
    document_id,
    position: 0,
    content: text,
    page_number: 1,
    page_offset: 100,
    sentences: similarities.map((similarity, at) => ({
      start: 100 + at * length,
      end: 100 + (at + 1) * length,
      similarity,
    })),
    words,
  }
}

const ranked = (candidates: LibraryCandidate[]) =>
  rankPassages(candidates, OPTIONS).map(({ document_id, score }) => [document_id, Number(score.toFixed(3))])

describe('rankPassages', () => {
  it('rankPassages adds the weighted BM25 and the cosine of the best and .3 of the second sentence, both scaled (LIB-21)', () => {
    // The meanings are .9 + .3 * .5 = 1.05, .75 and .45: scaled to 1, .5 and 0. The BM25 is scaled by the largest, 4.
    const candidates = [
      candidate('words', 4, [0.45]),
      candidate('meaning', 0, [0.5, 0.9]),
      candidate('both', 3, [0.75]),
      candidate('neither', 0, [0.2]),
    ]
    expect(ranked(candidates.slice(0, 3))).toEqual([
      ['both', Number(((0.5 + 0.8 * 0.75) / 1.8).toFixed(3))],
      ['meaning', Number((1 / 1.8).toFixed(3))],
      ['words', Number((0.8 / 1.8).toFixed(3))],
    ])
    expect(ranked(candidates).map(([id]) => id)).not.toContain('neither')
  })

  it('rankPassages scales the cosines within the hundred nearest passages (LIB-21)', () => {
    const near = Array.from({ length: 100 }, (_, at) => candidate(`near ${at}`, 0, [0.9 - at * 0.004]))
    const scores = new Map(
      rankPassages([...near, candidate('far', 0, [0.31])], OPTIONS).map((one) => [one.document_id, one.score]),
    )
    expect([scores.get('near 0'), scores.get('near 99'), scores.get('far')]).toEqual([expect.closeTo(1 / 1.8), 0, 0])
  })

  it('rankPassages returns the best sentence of a passage by its words and its cosine', () => {
    const content = 'A nap improved recall. The ward was quiet..'
    const [first] = rankPassages([candidate('a', 1, [0.4, 0.45], content)], OPTIONS)
    expect(content.slice(first!.best.start, first!.best.end)).toContain('nap')
  })

  it('rankPassages returns a sentence of the abstract and not the title of a paper without a text (LIB-03)', () => {
    const texts = ['A nap and recall in nurses', 'We studied a quiet ward.', 'A short nap improved later recall.']
    const content = `${texts[0]}\n\n${texts[1]} ${texts[2]}`
    const sentences = texts.map((text, at) => {
      const start = content.indexOf(text)
      return { start, end: start + text.length, similarity: [0.9, 0.2, 0.25][at]! }
    })
    const paper = { ...candidate('a', 1, [], content), page_number: 0, page_offset: 0 }
    const bestOf = (one: LibraryCandidate) => {
      const [{ best, matched }] = rankPassages([one], OPTIONS) as [RankedPassage]
      return [content.slice(best.start, best.end), matched]
    }
    expect(bestOf({ ...paper, sentences })).toEqual([texts[2], 'both'])
    expect(bestOf(paper)).toEqual([texts[2], 'words'])
    // The title makes the paper a match by meaning.
    expect(bestOf({ ...paper, sentences, words: 0 })).toEqual([texts[2], 'meaning'])
    expect(bestOf({ ...paper, sentences: sentences.slice(0, 1) })).toEqual([texts[0], 'both'])
  })

  it('rankPassages reports an equal passage of another paper as a copy, and never a passage of the same paper (LIB-23)', () => {
    const content = 'Afternoon naps improved recall of many word pairs after one week in twenty nurses of three wards.'
    const copies = [candidate('article', 3, [0.8], content), candidate('preprint', 3, [0.7], content)]
    const copiesOf = (candidates: LibraryCandidate[]) =>
      rankPassages(candidates, OPTIONS).flatMap((one) => (one.isCopy ? [one.document_id] : []))
    expect(ranked(copies).map(([id]) => id)).toEqual(['article', 'preprint'])
    expect(copiesOf(copies)).toEqual(['preprint'])
    expect(copiesOf([copies[0]!, { ...copies[0]!, position: 1 }])).toEqual([])
  })
})
