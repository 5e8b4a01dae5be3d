import { bm25, indexTexts, type Bm25Index, idf } from './bm25.ts'
import { searchTerms } from '#server/language/search-terms.ts'

/** Input of retrieval: one chunk. Offsets of sentences count, like `pageOffset`, from the start of the page's text. */
export interface Candidate {
  content: string
  pageOffset: number
  /** The chunk's sentences, each with its cosine to the question. */
  sentences: { start: number; end: number; similarity: number }[]
}

/** A ranked chunk. */
export interface Ranked {
  /** Position in the list of candidates. */
  index: number
  /** The sort key, 0..1; comparable only within one question. */
  score: number
  /** Share of the question's IDF that the chunk's words cover, 0..1. */
  coverage: number
  /** The best sentence by words and meaning together, with its cosine; null for a chunk without sentences. */
  best: { start: number; end: number; similarity: number } | null
}

/** A chunk that covers this share of the question's IDF is relevant, whatever its vectors. */
const LEAST_COVERAGE = 0.25
/** Weights of the best, second and third best sentence of a chunk. */
const SHARES = [1, 0.5, 0.25]

/**
 * Returns the chunks of a paper that answer a question, best first, at most `limit`. The score is the sum of BM25 over
 * the chunks and the question's cosine to the best sentences of each chunk, both scaled to 0..1. BM25 has as its weight
 * the third power of the share of the question's IDF that the best chunk covers: it decides when the question uses the
 * paper's words, the vectors when it does not. The weights were fitted on one half of the sample papers;
 * docs/decisions/0009-retrieval.md has the results on the other.
 * Empty when the paper does not cover the question: no chunk covers a quarter of its IDF and no sentence reaches
 * `leastSimilarity`, which depends on the embedding model; null: there are no vectors, and only chunks with a word of the
 * question are returned. The thresholds favour recall: see the results there.
 */
export function blend(
  question: string,
  candidates: readonly Candidate[],
  limit: number,
  leastSimilarity: number | null,
): Ranked[] {
  const index = indexTexts(candidates.map(({ content }) => content))
  const words = bm25(index, question)
  const top = words.reduce((best, hit) => (hit.score > best.score ? hit : best), { score: 0, coverage: 0 })
  const nearest = candidates.reduce(
    (most, { sentences }) => sentences.reduce((m, s) => Math.max(m, s.similarity), most),
    -1,
  )
  if (top.coverage < LEAST_COVERAGE && nearest < (leastSimilarity ?? Infinity)) return []
  const weight = top.coverage ** 3
  const meanings = scaled(candidates.map(meaningOf))
  const terms = new Set(searchTerms(question))
  return candidates
    .map((_, position) => ({
      index: position,
      score: weight * (top.score > 0 ? words[position]!.score / top.score : 0) + (1 - weight) * meanings[position]!,
      coverage: words[position]!.coverage,
    }))
    .filter(({ coverage }) => leastSimilarity !== null || coverage > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, limit)
    .map((ranked) => ({ ...ranked, best: bestSentence(candidates[ranked.index]!, terms, index, weight) }))
}

function meaningOf({ sentences }: Candidate): number | null {
  if (sentences.length === 0) return null
  const best = sentences.map(({ similarity }) => similarity).sort((a, b) => b - a)
  return SHARES.reduce((sum, share, rank) => sum + share * (rank === 0 ? best[0]! : Math.max(0, best[rank] ?? 0)), 0)
}

/** Scales to 0..1 within the list; null (nothing to compare) becomes 0. */
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
  weight: number,
): Ranked['best'] {
  const total = [...terms].reduce((sum, term) => sum + idf(index, term), 0)
  let best: { value: number; sentence: Ranked['best'] } = { value: -Infinity, sentence: null }
  for (const sentence of sentences) {
    const own = new Set(searchTerms(content.slice(sentence.start - pageOffset, sentence.end - pageOffset)))
    const covered = [...terms].reduce((sum, term) => sum + (own.has(term) ? idf(index, term) : 0), 0)
    const value = weight * (total > 0 ? covered / total : 0) + (1 - weight) * sentence.similarity
    if (value > best.value) best = { value, sentence }
  }
  return best.sentence
}
