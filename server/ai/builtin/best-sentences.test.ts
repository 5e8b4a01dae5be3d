import { expect, it } from 'vitest'
import { withBestSentences } from './best-sentences.ts'
import type { PaperPassage } from './paper-passage.ts'

const passages = ['a', 'b'].map((document_id) => ({ document_id }) as PaperPassage)
const quote = (passage: number, text: string, value: number, score: number, isRow = false) => ({
  passage,
  text,
  value,
  score,
  isRow,
})
const shown = quote(0, 'Walking and sleep were studied.', 1, -6)
const texts = (first: ReturnType<typeof quote>, ...others: ReturnType<typeof quote>[]) =>
  withBestSentences([first], [first, ...others], passages).map(({ text, value }) => [text, value])

it('withBestSentences chooses the sentence that the cross-encoder prefers, and keeps the value of the quote', () => {
  expect(texts(shown, quote(0, 'Sleep rose by 6 points.', 0.9, 3))).toEqual([['Sleep rose by 6 points.', 1]])
})

it('withBestSentences keeps the quote if the other sentence is of another paper or far from the question', () => {
  const kept = [['Walking and sleep were studied.', 1]]
  expect(texts(shown, quote(1, 'Sleep rose by 6 points.', 0.9, 3))).toEqual(kept)
  expect(texts(shown, quote(0, 'Sleep rose by 6 points.', 0.5, 3))).toEqual(kept)
})

it('withBestSentences neither replaces a table row nor chooses one', () => {
  expect(texts(shown, quote(0, 'Fewer than two\t19\t1.9', 0.9, 3, true))).toEqual([[shown.text, 1]])
  const row = quote(0, 'Sleep, minutes\t390', 1, -6, true)
  expect(texts(row, quote(0, 'Sleep was measured.', 0.9, 3))).toEqual([['Sleep, minutes\t390', 1]])
})
