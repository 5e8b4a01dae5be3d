import { describe, expect, it } from 'vitest'
import type { AlignedWord } from './align-words.ts'
import { refuse } from './judge-answerable.ts'

const CONTENT =
  'The walkers of the first group were weighed in the spring, and the walkers of the other group were not.'

/** Returns the terms of two texts: each text contains the words with a cosine of at least 0.8 to it. */
const termsOf = (words: readonly AlignedWord[]) =>
  [0, 1].map((at) => new Set(words.flatMap(({ term, cosines }) => (term && cosines[at]! >= 0.8 ? [term] : []))))

/** Calls `refuse` for a question. `cosines` has the words of the question with their cosines to two texts; each IDF is 2. */
function judge(
  question: string,
  cosines: Record<string, [number, number]>,
  {
    missing = [],
    content = CONTENT,
    scope = 'paper',
    score = null,
  }: { missing?: string[]; content?: string; scope?: 'paper' | 'library'; score?: number | null } = {},
) {
  const words = Object.entries(cosines).map(([word, values]): AlignedWord => ({ word, term: word, cosines: values }))
  const idf = new Map(words.map(({ term }) => [term!, 2]))
  const compared = { words, idf, units: [[0], [1]], passages: [[0, 1]], terms: termsOf(words), score }
  return refuse({ question, content, missing }, compared, scope)
}

describe('refuse', () => {
  it('refuse names the word that no sentence has together with the others', () => {
    const reply = judge('How many of the walkers in the group owned a dog?', {
      walkers: [0.95, 0.9],
      group: [0.9, 0.2],
      dog: [0.2, 0.3],
    })
    expect(reply).toEqual({ missing: [], apart: ['dog'] })
  })

  it('refuse refuses a question about a part and a subject for several papers only if words are missing', () => {
    const question = 'What are the limitations of the walkers in the group who owned a dog?'
    const cosines: Record<string, [number, number]> = { walkers: [0.95, 0.9], group: [0.9, 0.2], dog: [0.2, 0.3] }
    expect(judge(question, cosines)).toEqual({ missing: [], apart: ['dog'] })
    expect(judge(question, cosines, { scope: 'library' })).toBeNull()
    expect(judge(question, cosines, { scope: 'library', missing: ['GPU'] })).toEqual({ missing: ['GPU'], apart: [] })
  })

  it('refuse accepts a question whose words are all in one sentence', () => {
    const question = 'How many of the walkers were weighed in the spring?'
    expect(judge(question, { walkers: [0.95, 0.9], weighed: [0.9, 0.2], spring: [0.85, 0.1] })).toBeNull()
  })

  it('refuse accepts a reworded question, which shares few words with every sentence', () => {
    const question = 'Did the scales show anything for the people who went on foot?'
    expect(judge(question, { scales: [0.45, 0.2], people: [0.5, 0.4], foot: [0.4, 0.3] })).toBeNull()
  })

  it('refuse names the words of a text that is no English question and has nothing in common with the passages', () => {
    const words: Record<string, [number, number]> = { zxcvb: [0.2, 0.3], qwerty: [0.1, 0.2], lorem: [0.2, 0.1] }
    const refusal = { missing: ['zxcvb', 'qwerty', 'lorem'], apart: [] }
    expect(judge('zxcvb qwerty lorem', words)).toEqual(refusal)
    expect(judge('zxcvb qwerty lorem', words, { scope: 'library' })).toEqual(refusal)
    expect(judge('zxcvb qwerty spring', { zxcvb: [0.2, 0.3], spring: [0.2, 0.1] })).toBeNull()
    expect(judge('Wer hat gewonnen?', { Wer: [0.2, 0.1], gewonnen: [0.5, 0.1] })).toBeNull()
  })

  it('refuse reads a table with its caption', () => {
    const question = 'What was the weight of the walkers in the spring?'
    const words: AlignedWord[] = [
      { word: 'weight', term: 'weight', cosines: [0.95, 0.1] },
      { word: 'walkers', term: 'walker', cosines: [0.1, 0.95] },
      { word: 'spring', term: 'spring', cosines: [0.1, 0.95] },
    ]
    const idf = new Map(words.map(({ term }) => [term!, 2]))
    const asked = { question, content: CONTENT, missing: [] }
    const passages = [[0, 1]]
    const compared = { words, idf, passages, terms: termsOf(words), score: null }
    expect(refuse(asked, { ...compared, units: [[0], [1]] }, 'library')).not.toBeNull()
    expect(refuse(asked, { ...compared, units: [[0], [1], [0, 1]] }, 'library')).toBeNull()
  })

  it('refuse names missing words, but not for a question in other words than those of the paper', () => {
    const near: [number, number] = [0.8, 0.2]
    expect(
      judge(
        'Were the walkers of the group weighed by Zimmer?',
        { walkers: near, weighed: near, Zimmer: [0.1, 0.1] },
        { missing: ['Zimmer'] },
      ),
    ).toEqual({ missing: ['Zimmer'], apart: [] })
    const reworded = judge(
      'Was it worthwhile to put the people on the scales?',
      { worthwhile: [0.2, 0.1], people: [0.5, 0.4], scales: [0.45, 0.3] },
      { missing: ['worthwhile'] },
    )
    expect(reworded).toBeNull()
  })

  it('refuse counts only missing words in other languages and without a comparison', () => {
    const content = 'Die Linden standen im Schatten, und die Platanen wurden nicht gemessen.'
    const words = { Linden: [0.9, 0.9] as [number, number], Wind: [0.1, 0.1] as [number, number] }
    expect(judge('Wie stark war der Wind an den Linden?', words, { content })).toBeNull()
    const asked = { question: 'Which GPU was used for the group?', content: CONTENT }
    expect(refuse({ ...asked, missing: ['GPU'] }, null, 'paper')).toEqual({ missing: ['GPU'], apart: [] })
    expect(refuse({ ...asked, missing: [] }, null, 'paper')).toBeNull()
    expect(refuse({ ...asked, missing: ['dog'] }, null, 'paper')).toBeNull()
  })

  it('refuse rejects a question about another subject, and names its words that no paper contains', () => {
    const question = 'What is the albedo of Enceladus for the group?'
    const cosines = { albedo: [0.1, 0.1], Enceladus: [0.15, 0.1] }
    const words = Object.entries(cosines).map(([word, values]): AlignedWord => ({ word, term: word, cosines: values }))
    const compared = {
      words,
      idf: new Map(words.map(({ term }) => [term!, 2])),
      units: [[0], [1]],
      passages: [[0], [1]],
      terms: termsOf(words),
      score: null,
    }
    const asked = { question, content: CONTENT, missing: [], absent: ['albedo', 'Enceladus'] }
    expect(refuse(asked, compared, 'library')).toEqual({ missing: ['albedo', 'Enceladus'], apart: [] })
    expect(refuse({ ...asked, absent: [] }, compared, 'paper')).toEqual({ missing: [], apart: [] })
  })

  it('refuse counts a common thing that no sentence of several papers contains with the other words', () => {
    const library = { scope: 'library' } as const
    const words = { walkers: [0.95, 0.2], weighed: [0.9, 0.2] } satisfies Record<string, [number, number]>
    expect(judge('Were walkers weighed with a dog?', { ...words, dog: [0.48, 0.45] }, library)).not.toBeNull()
    expect(judge('Were walkers weighed with a smile?', { ...words, smile: [0.48, 0.45] }, library)).toBeNull()
  })

  it('refuse accepts a question with one word for which the paper has another word', () => {
    const question = 'What was the weight gain of the walkers before the summer?'
    const words = {
      weight: [0.9, 0.2],
      walkers: [0.95, 0.2],
      gain: [0.35, 0.2],
      before: [0.6, 0.2],
      summer: [0.48, 0.2],
    } satisfies Record<string, [number, number]>
    expect(judge(question, words, { missing: ['gain'] })).toBeNull()
  })

  it('refuse counts the score of the sentence that answers best', () => {
    const question = 'How many of the walkers in the group owned a dog?'
    const cosines: Record<string, [number, number]> = { walkers: [0.95, 0.9], group: [0.9, 0.2], dog: [0.36, 0.3] }
    for (const scope of ['paper', 'library'] as const) {
      expect(judge(question, cosines, { scope, score: -9 })).not.toBeNull()
      expect(judge(question, cosines, { scope, score: 5 })).toBeNull()
    }
  })

  it('refuse accepts general questions', () => {
    expect(judge('What did the study find?', { find: [0.7, 0.1], results: [0.1, 0.1] })).toBeNull()
  })
})
