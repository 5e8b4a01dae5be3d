import { expect, it } from 'vitest'
import type { PaperPart } from '#server/language/question-part.ts'
import { fitOf } from './part-fit.ts'

const fit = (part: PaperPart, text: string) => {
  const passage = { content: text, page_number: 1, page_offset: 0, similarity: 0, start: 0, end: text.length }
  return fitOf(part, { text, start: 0, passage }, { isUnderHeading: false })
}

it.each([
  ['findings', 'Conclusions and significance: Two tests sort patients by risk.'],
  ['findings', 'Conclusions Two tests sort patients by risk.'],
  ['findings', 'We conclude that naps help.'],
  ['methods', 'METHODS We read 40 diaries.'],
  ['methods', 'Methodology and principal findings: We followed 214 patients.'],
  ['overview', 'Objective To learn how nurses sleep.'],
  ['future', 'A larger trial is planned in four districts.'],
  ['limitations', 'Limitations: One hospital was studied.'],
] as const)('fitOf finds the part %s in: %s', (part, text) => {
  expect(fit(part, text)).toBe(1)
})

it.each([
  ['findings', 'Methodology and principal findings: We followed 214 patients with confirmed infection.'],
  ['findings', 'Objective: To measure whether recall improved.'],
  ['methods', 'Participants disagreed with the nurses about the lamps.'],
  ['findings', 'Significance levels were set by the board.'],
  ['future', 'Earlier work in chemistry is scarce.'],
  ['limitations', 'The study has three limitations.'],
  ['limitations', 'Our study has limits.'],
  ['future', 'The person spreads effort unevenly if the future is discounted.'],
] as const)('fitOf does not find the part %s in: %s', (part, text) => {
  expect(fit(part, text)).toBe(0)
})

it.each([
  'Participants who napped recalled 12% more words than those who did not.',
  'Setting a timer improved recall by 12%.',
])('fitOf does not treat a word inside a sentence as a label: %s', (text) => {
  expect(fit('findings', text)).toBeGreaterThan(0)
})
