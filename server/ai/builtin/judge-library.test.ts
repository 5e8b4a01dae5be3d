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
  ['Kent or Essex or Wales?', [], 'Kent or or'],
  ['In Kent or Essex?', [], 'In Kent or Essex'],
])('A sentence that answers %j, of which the papers lack %j, must cover %j', (question, missing, expected) => {
  expect(left(question, missing).join(' ')).toBe(expected)
})
