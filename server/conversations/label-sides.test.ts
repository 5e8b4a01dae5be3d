import { expect, it } from 'vitest'
import { labelSides } from './label-sides.ts'

const quotes = (...texts: string[]) =>
  texts.map((quote, at) => ({ document_id: String(at), quote, match: 'exact' as const }))
const GAIN = 'Short naps improved recall of word pairs by 12% in nurses.'
const NONE = 'Long naps did not improve recall of word pairs.'

it.each([
  ['a phrase with words of the quotes', 'report improved recall', [GAIN], '1 paper reports improved recall'],
  ['a phrase of two papers', 'found that naps improved recall', [GAIN, GAIN], '2 papers report naps improved recall'],
  ['a phrase with a word that no quote contains', 'report a gain', [GAIN], 'Position 1 (1 paper)'],
  ['a phrase that one of the papers does not contain', 'report nurses', [GAIN, NONE], 'Position 1 (2 papers)'],
  ['a phrase that the quotes negate', 'report improved recall', [NONE], 'Position 1 (1 paper)'],
  ['a phrase with another number', 'report recall by 13%', [GAIN], 'Position 1 (1 paper)'],
  ['a phrase without words', 'report', [GAIN], 'Position 1 (1 paper)'],
])('A side of a disagreement has a label for %s (LIB-16)', (_, phrase, texts, label) => {
  const sides = [
    { phrase, quotes: quotes(...texts) },
    { phrase: 'say no', quotes: quotes(NONE) },
  ]
  expect(labelSides(sides)).toEqual([label, 'Position 2 (1 paper)'])
})

it('A side "otherwise" has that label only if the quotes support the phrase of the other side (LIB-16)', () => {
  const opposite = { phrase: 'report otherwise', quotes: quotes(NONE) }
  expect(labelSides([{ phrase: 'report improved recall', quotes: quotes(GAIN) }, opposite])).toEqual([
    '1 paper reports improved recall',
    '1 paper reports otherwise',
  ])
  expect(labelSides([{ phrase: 'report a cure', quotes: quotes(GAIN) }, opposite])).toEqual([
    'Position 1 (1 paper)',
    'Position 2 (1 paper)',
  ])
})
