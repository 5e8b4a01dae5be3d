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
const answer = { papers: 3, missing: [], apart: [], unsupported: [], sentences: [], nearest: [] }
const texts = (given: Parameters<typeof answerValues>[0]) =>
  answerValues(given).map(({ key, label, text, evidence }) => [key, label, text, evidence.length])

it('answerValues has all sentences of an answer with their doubts (FND-33)', () => {
  const given = {
    ...answer,
    kind: 'answer' as const,
    sentences: [{ text: 'By 18%.', marks: [{ kind: 'number' as const, words: ['18'] }], evidence: [quote] }],
    unsupported: [{ text: 'All agree.', reason: 'no quote' as const }],
  }
  expect(texts(given)).toEqual([
    ['sentence', 'Sentence 1', 'By 18%. (number not in the quote)', 1],
    ['sentence', 'Said without evidence 1', 'All agree. (The model gave no quote for this sentence)', 0],
  ])
})

it('answerValues has the reason of a refusal before the nearest passages (FND-33, LIB-36)', () => {
  expect(texts({ ...answer, kind: 'refusal', missing: ['zolpidem'], nearest: [quote] })).toEqual([
    ['refusal', 'No answer', 'None of the 3 papers answers this. No paper mentions zolpidem.', 0],
    ['nearest', 'Nearest passage 1', 'Naps help nurses.', 1],
  ])
})
