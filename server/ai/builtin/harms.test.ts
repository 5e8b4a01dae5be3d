import { expect, it } from 'vitest'
import { isHarm, isRecordOfHarms } from './harms.ts'

it.each([
  'No serious adverse events occurred.',
  'The gel was well tolerated.',
  'Side effects were rare.',
  'No harms were attributed to singing.',
  'Weakness of the hand was the most frequent complication.',
  'Three runners stopped the treatment because of a rash.',
  'Eleven runners reported itching of the skin.',
  'Nausea occurred in four of the patients.',
  'The lessons had made it worse for 7% of the pupils.',
  'Two walkers sprained an ankle and one fainted.',
])('isHarm recognizes %j', (text) => {
  expect(isHarm(text)).toBe(true)
})

it.each([
  'The gel relieved pain quickly.',
  'Loneliness harms the health of older people.',
  'Runners with the gel had fewer headaches.',
  'Of 1,930 patients with fever, 214 had a confirmed infection.',
  'Two patients withdrew.',
  'Walks lower the blood pressure of adults.',
])('isHarm does not recognize %j', (text) => {
  expect(isHarm(text)).toBe(false)
})

it('isRecordOfHarms recognizes a method, and no result', () => {
  expect(isRecordOfHarms('Adverse events were recorded at each visit.')).toBe(true)
  expect(isRecordOfHarms('Adverse events were recorded in 12 patients.')).toBe(false)
  expect(isRecordOfHarms('No adverse events occurred.')).toBe(false)
})
