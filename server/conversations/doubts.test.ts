import { expect, it } from 'vitest'
import { findDoubts } from './doubts.ts'

const NAPS = 'Afternoon naps of 20 min improved recall by 12.5% in 1,730 nurses.'

it.each([
  ['Naps of 20 minutes improved recall in 1730 nurses.', NAPS, []],
  ['Recall improved by 12,5 percent.', NAPS, []],
  ['Recall improved by 13%.', NAPS, [['number', ['13']]]],
  ['12 % of the nurses slept.', 'Of the nurses, 12 slept.', [['number', ['12']]]],
  ['Naps improved recall by 20%.', NAPS, [['number', ['20']]]],
  ['Recall improved by 12,5 to 14 %.', 'Recall improved by between 12.5 and 14 percent.', []],
  ['20% of the nurses slept.', 'Twenty percent of the nurses slept.', []],
  ['Recall fell by 0.5% and 3%.', 'Recall fell by 0.5, 1.2 and 3.0 per cent.', []],
  ['Naps improved recall.', 'Naps did not improve recall.', [['negation', ['Naps', 'improve', 'recall']]]],
  ['Naps never improved recall.', 'Naps improved recall.', [['negation', ['Naps', 'improved', 'recall']]]],
  ['Naps did not improve recall.', 'Naps failed to improve recall.', []],
  [
    'Naps improved recall.',
    'Naps improved recall of every word pair that was learned before. The ward had no windows.',
    [],
  ],
] as const)('%j with the quote %j has the doubts %j', (text, quote, doubts) => {
  const found = findDoubts(text, [{ quote, match: 'exact' }])
  expect(found.map(({ kind, words }) => [kind, words])).toEqual(doubts)
})

it('An approximate match is a doubt, and a number that another quote contains is not', () => {
  expect(
    findDoubts('Recall improved by 5 points.', [
      { quote: 'Recall improved.', match: 'approximate' },
      { quote: 'by five points', match: 'letters' },
    ]),
  ).toEqual([{ kind: 'near', words: ['Recall improved.'] }])
})
