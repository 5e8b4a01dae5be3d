import { expect, it } from 'vitest'
import { withoutLabel } from './abstract-label.ts'

it.each([
  ['Results: ', 'Walkers slept 40 minutes longer.'],
  ['Results', 'We found that walkers slept longer.'],
  ['Results', 'Walkers slept longer than the others.'],
  ['RESULTS', 'In the second month, walkers slept longer.'],
  ['RESULTS ', 'Walkers slept longer than the others.'],
  ['BACKGROUND: ', 'Naps are common among nurses.'],
  ['Background—', 'Naps are common among nurses.'],
  ['Background ', 'The naps of nurses are short.'],
  ['Methods: ', '240 nurses were asked about their naps.'],
  ['Methods', 'A total of 240 nurses were asked.'],
  ['METHODS ', 'A total of 240 nurses were asked.'],
  ['Methods.', 'We asked 240 nurses about their naps.'],
  ['Conclusions - ', 'Naps should be longer at night.'],
  ['Conclusions and Relevance: ', 'Naps should be longer at night.'],
  ['Methods and Results: ', 'We asked 240 nurses about naps.'],
  ['Background/Aims: ', 'Naps are common among nurses.'],
  ['Main Outcome Measures: ', 'The length of each nap in minutes.'],
  ['Design, Setting, and Participants: ', 'This trial had 240 nurses.'],
  ['Design: ', 'Randomized trial in three hospitals.'],
  ['AbstractBackground', 'The naps of nurses are short.'],
  ['Abstract Objective: ', 'To learn whether nurses nap.'],
  ['ABSTRACT', 'We asked 240 nurses about their naps.'],
])('withoutLabel leaves out the label of a structured abstract: %s|%s', (label, sentence) => {
  expect(withoutLabel(`${label}${sentence}`)).toBe(sentence)
})

it.each([
  'Results were better after longer naps.',
  'Results of the trial were clear in all groups.',
  'Results from three hospitals are missing.',
  'Methods of earlier studies differ widely.',
  'Methods A and B gave the same result.',
  'Methods For Teaching Statistics were compared.',
  'Background noise disturbed the naps of nurses.',
  'Participants were asked about their naps.',
  'Patients who napped made fewer errors.',
  'Design Thinking was taught in two schools.',
  'DesignBuilder was used to model the ward.',
  'MethodsX published the protocol of the trial.',
  'Objective A was reached after two years.',
  'Aim 1 was to measure the naps of nurses.',
  'Conclusions about long naps are uncertain.',
  'Summary statistics are in the appendix.',
  'Setting: ward',
  'Resultsets are stored in a table of the database.',
  'The results: walkers slept longer than others.',
])('withoutLabel returns a sentence unchanged if the label is a word of it: %s', (sentence) => {
  expect(withoutLabel(sentence)).toBe(sentence)
})
