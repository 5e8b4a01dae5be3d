import { expect, it } from 'vitest'
import { claimAsked } from './agreement-question.ts'

it.each([
  [
    'Do studies agree that solar lamps raise the time that children study?',
    'Do solar lamps raise the time that children study?',
  ],
  ['Do the trials of peer tutoring contradict each other on the test score?', 'Do peer tutoring on the test score?'],
  ['Is there disagreement about whether yoghurt shortens diarrhoea?', 'Do yoghurt shortens diarrhoea?'],
  ['Is the evidence on speed humps consistent?', 'Do speed humps ?'],
  ['Did any study find that posters made things worse?', 'Do posters made things worse?'],
  ['What do the papers say about naps?', 'Do naps?'],
])('The claim of %j is %j', (question, claim) => {
  expect(claimAsked(question)).toBe(claim)
})

it.each([
  'What did the study find?',
  'Do the results differ between men and women?',
  'Did observers agree on the scores?',
  'How many trials were included?',
  'Did naps improve recall?',
  'Do the studies agree?',
])('%j has no claim of studies', (question) => {
  expect(claimAsked(question)).toBe(null)
})
