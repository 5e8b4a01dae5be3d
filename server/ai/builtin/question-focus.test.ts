import { expect, it } from 'vitest'
import {
  focusedInLibrary,
  focusedInPaper,
  focusOf,
  isAnsweredBy,
  subjectTerms,
  wordsToCover,
} from './question-focus.ts'
import type { PaperPassage } from './paper-passage.ts'
import { quotableSentences } from './quotable-sentences.ts'

const passage = (document_id: string, content: string): PaperPassage => ({
  document_id,
  content,
  score: 0.5,
  section: null,
  authors: [],
  similarity: 0.5,
  page_number: 1,
  page_offset: 0,
  start: 0,
  end: content.length,
})

const WALKS = passage('a', 'The walks lowered the blood pressure. No adverse events occurred during walks.')
const GEL = passage('b', 'The gel relieved the pain. Eleven runners reported itching. A tube of the gel cost £3.50.')
const CLUB = passage('c', 'The club improved the mood of its members and helped them to make friends.')

const inLibrary = (question: string, passages: readonly PaperPassage[], before: string | null = null) =>
  focusedInLibrary({ question, before, passages }, quotableSentences(passages))?.map(({ text }) => text)
const inPaper = (question: string, of: PaperPassage) =>
  focusedInPaper(question, [of], quotableSentences([of])).map(({ text }) => text)

it('focusedInLibrary returns the harms of the papers about the subject', () => {
  expect(inLibrary('What side effects did the gel have?', [WALKS, GEL])).toEqual(['Eleven runners reported itching.'])
  expect(inLibrary('Were there any side effects?', [WALKS, GEL])).toEqual([
    'No adverse events occurred during walks.',
    'Eleven runners reported itching.',
  ])
  expect(inLibrary('Were there any side effects?', [WALKS, GEL], 'How did the gel help?')).toEqual([
    'Eleven runners reported itching.',
  ])
})

it('focusedInLibrary returns no benefit for a question about harms, and no amount from a paper about another subject', () => {
  expect(inLibrary('Did the club cause harm?', [WALKS, GEL, CLUB])).toEqual([])
  expect(inLibrary('How much did the club cost?', [GEL, CLUB])).toBe(undefined)
  expect(inLibrary('How much did the gel cost?', [GEL, CLUB])).toEqual(['A tube of the gel cost £3.50.'])
})

it('focusedInPaper returns harms or amounts only; without an amount, all sentences', () => {
  expect(inPaper('Was the treatment safe?', GEL)).toEqual(['Eleven runners reported itching.'])
  expect(inPaper('Was the club harmful?', CLUB)).toEqual([])
  expect(inPaper('What did it cost?', GEL)).toEqual(['A tube of the gel cost £3.50.'])
  expect(inPaper('What did it cost?', CLUB)).toHaveLength(1)
  expect(inPaper('Did the gel help?', GEL)).toHaveLength(3)
})

const TRIAL = passage(
  'e',
  'Of 248 participants, 231 completed the study. Twelve nurses had a headache. Patients were recruited in two towns. Sleep improved.',
)
it('focusedInPaper returns the sentences with the size of the sample, without them all sentences', () => {
  expect(inPaper('How many people took part?', TRIAL)).toEqual(['Of 248 participants, 231 completed the study.'])
  expect(inPaper('How many people took part?', CLUB)).toHaveLength(1)
})

it('focusedInPaper returns the rows of a table of harms or costs', () => {
  const table = passage(
    'd',
    'The gel helped.\nTable 2. Adverse events and costs\nEvent\tRunners\nItching\t11\nHeadache\t3',
  )
  expect(inPaper('What side effects did the gel have?', table)).toEqual(['Itching\t11', 'Headache\t3'])
  expect(inPaper('How much did it cost?', table)).toContain('Itching\t11')
})

it('focusOf applies to English texts only', () => {
  const german = 'Der Chor half den Kranken, und sie sangen jeden Abend mit ihren Freunden in der Halle der Stadt.'
  expect(focusOf('Were there any side effects?', german)).toBe(null)
})

it('subjectTerms and wordsToCover leave out the words for harms', () => {
  const question = 'What side-effects did the gel have in patients?'
  const focus = focusOf(question, GEL.content)!
  expect(subjectTerms(question, focus)).toEqual(['gel'])
  const words = ['side', 'effects', 'gel']
  expect(wordsToCover(words, (word) => word, focus)).toEqual(['gel'])
  expect(wordsToCover(words, (word) => word, null)).toEqual(words)
})

it('isAnsweredBy needs a harm, or an amount in a sentence about the subject', () => {
  const isAnswered = (question: string) => {
    const focus = focusOf(question, GEL.content)!
    return isAnsweredBy(question, focus, quotableSentences([GEL]).filter(focus.is))
  }
  expect(isAnswered('Were there any side effects?')).toBe(true)
  expect(isAnswered('What was the price of the gel?')).toBe(true)
  expect(isAnswered('What did the drives cost?')).toBe(false)
  expect(isAnswered('What did it cost?')).toBe(false)
  const asked = 'How many people took part?'
  const size = focusOf(asked, TRIAL.content)!
  expect(isAnsweredBy(asked, size, quotableSentences([TRIAL]).filter(size.is))).toBe(true)
  expect(wordsToCover(['many', 'people', 'Tokyo'], (word) => word, size)).toEqual(['Tokyo'])
})
