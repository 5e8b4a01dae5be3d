import { expect, it } from 'vitest'
import { withoutSeveralNames } from './judge-library.ts'

const words = (question: string) =>
  question.match(/\p{L}+/gu)!.map((word) => ({ word, term: word.length > 2 ? word.toLowerCase() : null, cosines: [0] }))
const left = (question: string, missing: string[] = []) =>
  withoutSeveralNames(question, missing, words(question)).map(({ word }) => word)

it.each([
  ['Did naps help more in Kent or in Essex?', [], 'Did naps help more in or in'],
  ['Did naps help in Kent?', [], 'Did naps help in Kent'],
  ['Did naps help more in Kent or in Essex?', ['Essex'], 'Did naps help more in Kent or in Essex'],
  ['Kent vs Essex: where did naps help?', [], 'vs where did naps help'],
  ['Compare Kent with Essex regarding naps.', [], 'Compare with regarding naps'],
  ['How do naps in Kent, Essex and Wales differ?', [], 'How do naps in and differ'],
  ['Did naps help in New York or in Boston?', [], 'Did naps help in or in'],
  ['Did naps in Kent help more than the walks in Essex?', [], 'Did naps in help more than the walks in'],
  ['Do EEG or MRI reveal ADHD?', [], 'Do or reveal ADHD'],
  ['Are links of iTrust or of eTour found more often?', [], 'Are links of or of found more often'],
  ['In Kent or Essex?', [], 'In Kent or Essex'],
  // Names with different roles.
  ['Does CBT reduce PTSD symptoms?', [], 'Does CBT reduce PTSD symptoms'],
  ['Does HIIT lower LDL?', [], 'Does HIIT lower LDL'],
  ['Did Pilates help in Kent?', [], 'Did Pilates help in Kent'],
])('withoutSeveralNames(%j), with the missing words %j, leaves %j', (question, missing, expected) => {
  expect(left(question, missing).join(' ')).toBe(expected)
})
