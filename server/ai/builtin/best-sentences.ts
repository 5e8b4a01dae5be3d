import { limited } from './cross-encoder/read-together.ts'
import type { PaperPassage, PaperQuote } from './paper-passage.ts'

/** Weight of the cross-encoder's score when the sentence of a paper is chosen. */
const READ = 0.2
/** A sentence can replace the quote of its paper if its value is at least this share of the value of the quote. */
const LEAST_SHARE = 0.7

/** A quotable sentence or table row of a paper. */
interface ReadQuote extends PaperQuote {
  /** How well the sentence answers the question, without the cross-encoder. */
  value: number
  /** The score of the cross-encoder (see readTogether). */
  score: number
  isRow: boolean
}

/**
 * Replaces each of the quotes `shown` by the sentence of the same paper that has the highest sum of its value and its weighted
 * score, and keeps the value of the quote. A table row is neither replaced nor a replacement: the cross-encoder cannot judge it
 * without its table. `quotes` are all quotable sentences of the passages.
 */
export function withBestSentences<T extends ReadQuote>(
  shown: readonly T[],
  quotes: readonly T[],
  passages: readonly PaperPassage[],
): T[] {
  const paperOf = ({ passage }: PaperQuote) => passages[passage]!.document_id
  const ofPaper = Map.groupBy(
    quotes.filter(({ isRow }) => !isRow),
    paperOf,
  )
  const read = ({ value, score }: T) => value + READ * limited(score)
  return shown.map((quote) => {
    if (quote.isRow) return quote
    const near = ofPaper.get(paperOf(quote))!.filter(({ value }) => value >= LEAST_SHARE * quote.value)
    return { ...near.reduce((best, other) => (read(other) > read(best) ? other : best), quote), value: quote.value }
  })
}
