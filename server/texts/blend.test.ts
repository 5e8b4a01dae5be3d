import { describe, expect, it } from 'vitest'
import { blend as blendAtMost, type Candidate } from './blend.ts'
import { indexTexts } from './bm25.ts'

const indexed = (candidates: Candidate[]) => ({
  candidates,
  index: indexTexts(candidates.map(({ content }) => content)),
})
const blend = (question: string, candidates: Candidate[]) => blendAtMost(question, indexed(candidates), 10, -1)

/** Returns a chunk of the given sentences with their cosines, at the offset `pageOffset` of its page. */
function chunk(sentences: [text: string, similarity: number][], pageOffset = 0): Candidate {
  const content = sentences.map(([text]) => text).join(' ')
  let at = pageOffset
  return {
    content,
    pageOffset,
    sentences: sentences.map(([text, similarity]) => {
      const span = { start: at, end: at + text.length, similarity }
      at += text.length + 1
      return span
    }),
  }
}

const budget = chunk([
  ['The budget of the centre was cut.', 0.3],
  ['No visitor liked that very much.', 0.05],
])
const walks = chunk(
  [
    ['Walking in the evening improved sleep.', 0.2],
    ['It was pleasant for everyone.', 0.3],
  ],
  500,
)
const falls = chunk(
  [
    ['Four people fell and were unhurt.', 0.7],
    ['A plaster was enough for them.', 0.6],
  ],
  90,
)
const other = chunk([['The weather was mild in all of these months.', 0]])
const order = (question: string, candidates: Candidate[]) => blend(question, candidates).map(({ index }) => index)

describe('blend', () => {
  it.each<[string, string, number]>([
    ['the words decide where one chunk covers the question', 'Was the budget of the centre cut?', 0],
    ['the words decide also against a higher cosine elsewhere', 'Did evening walking improve sleep?', 1],
    ['the meaning decides where no chunk has the words', 'Was anybody injured?', 2],
    ['the meaning decides where there are only stopwords', 'What did they do about it?', 2],
  ])('blend: %s', (_, question, first) => {
    expect(order(question, [budget, walks, falls, other])[0]).toBe(first)
  })

  it('blend returns the best sentence with its cosine and its place in the page', () => {
    const top = blend('Did evening walking improve sleep?', [budget, walks, falls, other])[0]!
    expect(top.best).toEqual({ start: 500, end: 538, similarity: 0.2 })
    expect(blend('Was anybody injured?', [budget, falls])[0]!.best).toEqual({ start: 90, end: 123, similarity: 0.7 })
  })

  it('blend prefers several good sentences to one when no words match', () => {
    const one = chunk([
      ['Alpha beta gamma delta.', 0.5],
      ['Epsilon zeta eta theta.', 0],
    ])
    const two = chunk([
      ['Iota kappa lambda my.', 0.48],
      ['Ny xi omikron pi.', 0.45],
    ])
    expect(order('unrelated', [one, two])).toEqual([1, 0])
  })

  it('blend orders equal chunks as in the paper, and accepts a chunk without sentences', () => {
    const bare = { content: '12 34 56', pageOffset: 0, sentences: [] }
    expect(order('nothing', [bare, bare])).toEqual([0, 1])
    expect(blend('nothing', [bare])[0]!.best).toBeNull()
    expect(blend('nothing', [])).toEqual([])
  })

  it('blend scores between 0 and 1', () => {
    for (const { score, coverage } of blend('evening sleep budget', [budget, walks, falls])) {
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(1)
      expect(coverage).toBeLessThanOrEqual(1)
    }
  })
})

describe('blend: relevance', () => {
  const found = (question: string, candidates: Candidate[]) =>
    blendAtMost(question, indexed(candidates), 2, 0.35).length

  it.each<[string, string, Candidate[], number]>([
    ['words alone are enough', 'What about the budget?', [budget, walks], 2],
    ['a near sentence alone is enough', 'Was anybody injured?', [budget, walks, falls], 2],
    ['neither words nor vectors come near', 'Was anybody injured?', [budget, walks], 0],
    ['there is nothing', 'Was anybody injured?', [], 0],
  ])('blend: %s', (_, question, candidates, expected) => {
    expect(found(question, candidates)).toBe(expected)
  })

  it('blend without vectors returns only chunks with a word of the question', () => {
    const words = (question: string) =>
      blendAtMost(question, indexed([budget, walks, falls]), 3, null).map(({ index }) => index)
    expect(words('What about the budget of the centre?')).toEqual([0])
    expect(words('Was anybody injured?')).toEqual([])
  })
})
