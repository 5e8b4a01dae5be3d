import { expect, it } from 'vitest'
import type { FoundEvidence } from '#server/evidence/index.ts'
import { answerValues } from './answer-values.ts'

const quote = {
  document_id: 'a',
  text_version: 1,
  page: 2,
  start: 0,
  end: 5,
  quote: 'Naps help nurses.',
  prefix: '',
  suffix: '',
  match: 'exact',
  score: 1,
} as FoundEvidence
const answer = { papers: 3, groups: [], missing: [], apart: [], unsupported: [], sentences: [], nearest: [] }
const texts = (given: Parameters<typeof answerValues>[0]) =>
  answerValues(given).map(({ key, label, text, evidence }) => [key, label, text, evidence.length])

it('answerValues has all sentences of an answer with their doubts (FND-33)', () => {
  const given = {
    ...answer,
    kind: 'answer' as const,
    sentences: [
      { text: 'By 18%.', marks: [{ kind: 'number' as const, words: ['18'] }], group: null, evidence: [quote] },
    ],
    unsupported: [{ text: 'All agree.', reason: 'no quote' as const }],
  }
  expect(texts(given)).toEqual([
    ['sentence', 'Sentence 1', 'By 18%. (number not in the quote)', 1],
    ['sentence', 'Said without evidence 1', 'All agree. (The model gave no quote for this sentence)', 0],
  ])
})

it('answerValues has the sides of a disagreement with the numbers of their sentences (FND-33, LIB-16)', () => {
  const sentence = (text: string, group: number | null) => ({ text, marks: [], group, evidence: [quote] })
  const given = {
    ...answer,
    kind: 'answer' as const,
    groups: ['2 papers report a gain', '1 paper reports no gain', '1 paper reports a loss'],
    sentences: [sentence('A gain.', 0), sentence('None.', 1), sentence('More.', 0), sentence('Other.', null)],
  }
  expect(texts(given).slice(0, 3)).toEqual([
    ['side', 'Side of sentences 1 and 3', '2 papers report a gain', 0],
    ['side', 'Side of sentence 2', '1 paper reports no gain', 0],
    ['sentence', 'Sentence 1', 'A gain.', 1],
  ])
})

it('answerValues has the reason of a refusal before the nearest passages (FND-33, LIB-36)', () => {
  expect(texts({ ...answer, kind: 'refusal', missing: ['zolpidem'], nearest: [quote] })).toEqual([
    ['refusal', 'No answer', 'None of the 3 papers answers this. No paper mentions zolpidem.', 0],
    ['nearest', 'Nearest passage 1', 'Naps help nurses.', 1],
  ])
})
