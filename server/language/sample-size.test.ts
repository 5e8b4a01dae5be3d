import { expect, it } from 'vitest'
import { asksForSampleSize, withoutSizeWords } from './sample-size.ts'
import { typicalWords } from './typical-words.ts'

it.each([
  'How many people took part?',
  'How many older adults participated in the trial?',
  'How many patients were randomised?',
  'And how many participants were there?',
  'How many children did the study include?',
  'What was the sample size?',
  'How large was the sample of this study?',
])('asksForSampleSize recognizes %j', (question) => {
  expect(asksForSampleSize(question)).toBe(true)
  expect(typicalWords(question)).toContain('enrolled')
})

it.each([
  'How many patients had a fever?',
  'How many of the patients took part in the second survey?',
  'How many weeks did the trial last?',
  'Which bootstrap sample size was used?',
  'How many patients were treated in intensive care?',
  'Who took part?',
])('asksForSampleSize does not recognize %j', (question) => {
  expect(asksForSampleSize(question)).toBe(false)
  expect(typicalWords(question)).toBe(null)
})

it('withoutSizeWords returns the subject of a question for the size of a sample', () => {
  expect(withoutSizeWords('How many people took part in the trial of naps?')).toBe('in the trial of naps?')
  expect(withoutSizeWords('How many patients had a fever?')).toBe('How many patients had a fever?')
})
