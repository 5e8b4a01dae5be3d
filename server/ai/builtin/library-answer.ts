import { partAsked } from '#server/language/question-part.ts'
import { alignmentsOf, type AlignedWord } from './align-words.ts'
import { quotableSentences, type Passage, type Sentence } from './quotable-sentences.ts'

/** A passage of one of several papers, with the score of the search that found it. */
export interface PaperPassage extends Passage {
  document_id: string
  score: number
}

/** A quoted sentence: the place of its passage in the given list, and its text. */
export interface PaperQuote {
  passage: number
  text: string
}

interface Question {
  question: string
  /** Best first. */
  passages: readonly PaperPassage[]
  /** The IDF in the project of each term of the question. */
  weights: readonly (readonly [term: string, idf: number])[]
  /** The words of the question with their cosines to the quotable sentences, as far as compared. */
  words?: readonly AlignedWord[] | undefined
}

/** Most papers of an answer. */
const MOST_PAPERS = 6
/** A paper is quoted if the score of its best passage is at least this share of the highest score. */
const LEAST_SHARE = 0.5
/** Added to the value of the best sentence of a passage in the search. */
const FOUND_BEST = 0.3

/**
 * Quotes one sentence of the best passage of each of up to six papers, in the order of the passages. The sentence is the one
 * that covers the words of the question best. Deterministic.
 */
export function quotePapers({ question, passages, weights, words }: Question): PaperQuote[] {
  const idf = new Map(weights)
  const quotable = quotableSentences(passages)
  const aligned = words ? alignmentsOf(words, idf) : []
  const alignments = new Map(aligned.map((alignment, at) => [quotable[at]!, alignment]))
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0) || 1
  const valueOf = (sentence: Sentence) => {
    const covered = weights.reduce((sum, [term, weight]) => sum + (sentence.terms.has(term) ? weight : 0), 0) / total
    const isBest = sentence.start < sentence.passage.end && sentence.end > sentence.passage.start
    // The words of a general question are in no sentence.
    const alignment = partAsked(question) ? 0 : (alignments.get(sentence) ?? 0)
    return covered + alignment + (isBest ? FOUND_BEST : 0)
  }
  const quotes: PaperQuote[] = []
  const quoted = new Set<string>()
  for (const [place, passage] of passages.entries()) {
    if (quotes.length === MOST_PAPERS) break
    if (quoted.has(passage.document_id) || passage.score < LEAST_SHARE * passages[0]!.score) continue
    quoted.add(passage.document_id)
    const own = quotable.filter((sentence) => sentence.passage === passage)
    const best = own.reduce<{ value: number; text: string } | null>((most, sentence) => {
      const value = valueOf(sentence)
      return most === null || value > most.value ? { value, text: sentence.text } : most
    }, null)
    const { content, page_offset, start, end } = passage
    quotes.push({ passage: place, text: best?.text ?? content.slice(start - page_offset, end - page_offset) })
  }
  return quotes
}
