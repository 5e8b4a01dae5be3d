import { searchTerms } from '#server/language/search-terms.ts'
import { bm25, type Bm25Index, idf } from './bm25.ts'

/**
 * A chunk of a paper that can answer a question. `pageOffset` and the offsets of the sentences count from the start of the text
 * of the page.
 */
export interface Candidate {
  content: string
  pageOffset: number
  /** The chunk's sentences, each with its cosine to the question. */
  sentences: { start: number; end: number; similarity: number }[]
}

/** A chunk of a paper with its score for a question. */
export interface Ranked {
  /** Index in the list of candidates, from 0. */
  index: number
  /** The sort key, 0..1; comparable only within one question. */
  score: number
  /** Share of the question's words, weighted by IDF, that the chunk contains, 0..1. */
  coverage: number
  /** The sentence that best matches the question by words and meaning, with its cosine; null for a chunk without sentences. */
  best: { start: number; end: number; similarity: number } | null
}

/**
 * Without vectors, a paper is relevant to a question if a chunk contains at least this share of the question's words, weighted
 * by IDF.
 */
const LEAST_COVERAGE = 0.25
/**
 * Weight of the coverage (share of the question's words that the best chunk contains) in the relevance of a paper to a
 * question. The highest cosine of a sentence has the weight 1.
 */
const COVERAGE = 0.35
/**
 * Prefers chunks with two fitting sentences: weight of the second highest cosine of a chunk's sentences to the question. The
 * highest cosine has the weight 1.
 */
const SECOND = 0.3
/**
 * The weight of the keyword score (BM25) against the vector score, which has the weight 1. It grows with the coverage, the
 * share of the question's words that the best chunk contains: from WORDS if the question shares no word with the paper to WORDS
 * + OWN_WORDS if one chunk contains all of them (WORDS + OWN_WORDS * coverage²).
 */
const WORDS = 0.25
const OWN_WORDS = 0.5
/**
 * In the choice of the best sentence of a chunk, the weight of the share of the question's words (by IDF) that a sentence
 * contains. The cosine of the sentence to the question has the weight 1.
 */
export const SENTENCE_WORDS = 0.5

/**
 * Returns the chunks of a paper that answer a question, best first, at most `limit`. The score is a weighted mean of two
 * values, each scaled to 0..1. The first value is the cosine of the chunk's best sentence to the question plus .3 of the cosine
 * of its second best; the second is the BM25 of the chunk. The weight of BM25 grows with the square of the top coverage: the
 * share of the question's IDF that the chunk with the highest BM25 covers. So BM25 decides when the question uses the paper's
 * words (measurements: docs/decisions/0009-retrieval.md).
 *
 * Returns [] if the paper does not cover the question: if the best cosine plus .35 of the top coverage is below
 * `leastRelevance`, which depends on the embedding model. If `leastRelevance` is null, there are no vectors. Then only chunks
 * with a word of the question are returned, and none if the top coverage is below .25.
 */
export function blend(
  question: string,
  { candidates, index }: { candidates: readonly Candidate[]; index: Bm25Index },
  limit: number,
  leastRelevance: number | null,
): Ranked[] {
  const words = bm25(index, question)
  const top = words.reduce((best, hit) => (hit.score > best.score ? hit : best), { score: 0, coverage: 0 })
  const nearest = candidates.reduce(
    (most, { sentences }) => sentences.reduce((m, s) => Math.max(m, s.similarity), most),
    -1,
  )
  const isRelevant =
    leastRelevance === null ? top.coverage >= LEAST_COVERAGE : nearest + COVERAGE * top.coverage >= leastRelevance
  if (!isRelevant) return []
  const weight = WORDS + OWN_WORDS * top.coverage ** 2
  const meanings = scaled(candidates.map(meaningOf))
  const terms = new Set(searchTerms(question))
  return candidates
    .map((_, position) => {
      const wordScore = top.score > 0 ? words[position]!.score / top.score : 0
      const score = (meanings[position]! + weight * wordScore) / (1 + weight)
      return { index: position, score, coverage: words[position]!.coverage }
    })
    .filter(({ coverage }) => leastRelevance !== null || coverage > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, limit)
    .map((ranked) => ({ ...ranked, best: bestSentence(candidates[ranked.index]!, terms, index) }))
}

function meaningOf({ sentences }: Candidate): number | null {
  if (sentences.length === 0) return null
  const [best, second = 0] = sentences.map(({ similarity }) => similarity).sort((a, b) => b - a)
  return best! + SECOND * Math.max(0, second)
}

/**
 * Scales the values of a list linearly to 0..1. A null (a chunk without sentences) becomes 0. If all values are equal, all
 * become 0.
 */
function scaled(values: readonly (number | null)[]): number[] {
  const known = values.filter((value) => value !== null)
  const least = known.reduce((min, value) => Math.min(min, value), Infinity)
  const range = known.reduce((max, value) => Math.max(max, value), -Infinity) - least
  return values.map((value) => (value === null || range <= 0 ? 0 : (value - least) / range))
}

function bestSentence(
  { content, pageOffset, sentences }: Candidate,
  terms: ReadonlySet<string>,
  index: Bm25Index,
): Ranked['best'] {
  const total = [...terms].reduce((sum, term) => sum + idf(index, term), 0)
  let best: { value: number; sentence: Ranked['best'] } = { value: -Infinity, sentence: null }
  for (const sentence of sentences) {
    const own = new Set(searchTerms(content.slice(sentence.start - pageOffset, sentence.end - pageOffset)))
    const covered = [...terms].reduce((sum, term) => sum + (own.has(term) ? idf(index, term) : 0), 0)
    const value = sentence.similarity + SENTENCE_WORDS * (total > 0 ? covered / total : 0)
    if (value > best.value) best = { value, sentence }
  }
  return best.sentence
}
