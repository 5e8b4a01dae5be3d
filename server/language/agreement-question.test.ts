import { expect, it } from 'vitest'
import { claimAsked } from './agreement-question.ts'

it.each([
  [
    'Do studies agree that solar lamps raise the time that children study?',
    'solar lamps raise the time that children study?',
  ],
  ['Do the trials of peer tutoring contradict each other on the test score?', 'peer tutoring and the test score?'],
  ['Is there disagreement about whether yoghurt shortens diarrhoea?', 'yoghurt shortens diarrhoea?'],
  ['Is the evidence on speed humps consistent?', 'speed humps?'],
  ['Is the evidence contradictory on whether posters help?', 'posters help?'],
  ['Is the literature unanimous that pairs write cleaner code?', 'pairs write cleaner code?'],
  ['Are there conflicting findings on naps?', 'naps?'],
  ['Is there consensus on that method?', 'that method?'],
  ['How mixed are the results for mindfulness in nurses?', 'mindfulness in nurses?'],
  ['Did any study find that posters made things worse?', 'posters made things worse?'],
  ['Do studies of mindfulness agree that it helps?', 'as for mindfulness, it helps?'],
  ['What do the papers say about naps?', 'naps?'],
  ['Which studies contradict the claim that naps help?', 'naps help?'],
  // Words for studies, reports and agreement that belong to the subject.
  ['Do papers report that online reviews raise sales?', 'online reviews raise sales?'],
  ['Do the trials show that social support lowers stress?', 'social support lowers stress?'],
  ['Did any study find that data sharing raises citations?', 'data sharing raises citations?'],
  ['Is the evidence on consensus protocols consistent?', 'consensus protocols?'],
  ['Do studies of armed conflict agree on its causes?', 'armed conflict and its causes?'],
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
  'Do the studies agree on this?',
  'Which papers describe work-family conflict?',
  'Which papers describe consensus protocols?',
  'Is there conflict over land?',
  'Are the data consistent with the model?',
  'Some say naps are useless. Do any of the trials support them?',
  'Y a-t-il un consensus sur la sieste chez les travailleurs postés ?',
  'Is er consensus over slaap en geheugen?',
])('%j has no claim of studies', (question) => {
  expect(claimAsked(question)).toBe(null)
})
