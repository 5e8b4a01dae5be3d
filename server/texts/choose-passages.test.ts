import { describe, expect, it } from 'vitest'
import type { Candidate } from './blend.ts'
import { choosePassages } from './choose-passages.ts'

/** Returns a chunk with one sentence per line. All sentences have the same cosine. */
function chunk(content: string, similarity: number): Candidate {
  let at = 0
  const sentences = content.split('\n').map((line) => {
    const span = { start: at, end: at + line.length, similarity }
    at += line.length + 1
    return span
  })
  return { content, pageOffset: 0, sentences: sentences.filter(({ start, end }) => end - start > 16) }
}

const PAPER = [
  chunk('Abstract\nWalking in the evening improved sleep.', 0.2),
  chunk('2 Methods\nWe asked many people to walk.', 0.9),
  chunk(
    'They walked for twelve weeks.\n6 Limitations\nAll centres were in one district.\n7 Conclusion\nWalking is a good way to sleep.',
    0.5,
  ),
]
const places = (question: string, limit = 3) =>
  choosePassages(question, PAPER, limit, 0.35).chosen.map(({ index, best }) => [
    index,
    best && PAPER[index]!.content.slice(best.start, best.end),
  ])

describe('choosePassages', () => {
  it('choosePassages answers a general question from the matching sections', () => {
    expect(places('What did the study find?')).toEqual([
      [0, 'Walking in the evening improved sleep.'],
      [2, 'Walking is a good way to sleep.'],
    ])
    expect(places('What are the limitations?')).toEqual([[2, 'All centres were in one district.']])
    expect(places('What methods were used?', 1)).toEqual([[1, 'We asked many people to walk.']])
    expect(places('Who wrote it?')[0]![0]).toBe(0)
  })

  it('choosePassages takes findings from the end of a long abstract, and the subject from its beginning', () => {
    const abstract = [
      chunk('Abstract\nPoor sleep is common in later life.', 0.2),
      chunk('We asked many people to walk.', 0.2),
      chunk('Walking in the evening improved sleep.', 0.2),
      chunk('1 Introduction\nSleep has long been studied by many.', 0.2),
    ]
    const found = (question: string) => choosePassages(question, abstract, 2, 0.35).chosen.map(({ index }) => index)
    expect(found('What did the authors find?')).toEqual([1, 2])
    expect(found('What is the paper about?')).toEqual([0, 1])
    abstract[2] = chunk('Keywords: walking, sleep, older adults, evening', 0.2)
    expect(found('What did the authors find?')).toEqual([0, 1])
  })

  it('choosePassages ranks chunks for a specific question by words and meaning', () => {
    expect(places('How many weeks did they walk?', 1)[0]![0]).toBe(2)
  })

  it('choosePassages finds the size of the sample, which has other words than the question', () => {
    const papers = [
      chunk('People walked in a part of the town.', 0.4),
      chunk('We enrolled 248 participants, and 231 completed the study.', 0.38),
      chunk('The town has many trees along its streets.', 0.1),
    ]
    const found = (question: string) => choosePassages(question, papers, 1, 0.3).chosen.map(({ index }) => index)
    expect(found('How many people took part?')).toEqual([1])
    expect(found('How many people walked?')).toEqual([0])
  })

  it('choosePassages answers a general question also for a paper without such sections', () => {
    expect(
      choosePassages('What is this paper about?', [chunk('Nothing but one line of prose here.', 0.1)], 3, 0.35).chosen,
    ).toHaveLength(1)
    expect(choosePassages('What is this paper about?', [], 3, 0.35).chosen).toEqual([])
  })

  it('choosePassages returns the weights of the words, and whether one chunk contains all that the paper contains', () => {
    const { weights, isFocused } = choosePassages('In which district were the centres for walking dogs?', PAPER, 3, 0)
    expect(Object.fromEntries(weights)).toEqual({
      district: expect.any(Number),
      center: expect.any(Number),
      walk: expect.any(Number),
      dog: expect.any(Number),
    })
    expect(new Map(weights).get('dog')).toBeGreaterThan(new Map(weights).get('walk')!)
    expect(isFocused).toBe(true)
    expect(choosePassages('Did people in the evening walk in one district?', PAPER, 3, 0).isFocused).toBe(false)
    expect(choosePassages('Which centres had dogs?', PAPER, 3, 0).isFocused).toBe(false)
  })

  it('choosePassages applies the limit of relevance to English papers only', () => {
    const english = [chunk('The walkers of the first group were weighed in the spring of the year.', 0.1)]
    const german = [chunk('Die Linden standen im Schatten, und die Platanen wurden nicht gemessen.', 0.1)]
    expect(choosePassages('Which trees were in the shade?', english, 3, 0.35).chosen).toEqual([])
    expect(choosePassages('Which trees were in the shade?', german, 3, 0.35).chosen).toHaveLength(1)
  })
})
