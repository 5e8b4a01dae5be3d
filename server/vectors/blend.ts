import { bm25, indexTexts } from './bm25.ts'

/** One chunk as retrieval sees it. Offsets of sentences count, like `pageOffset`, from the start of the page's text. */
export interface Candidate {
  content: string
  pageOffset: number
  /** The chunk's sentences with the cosine of each to the question. */
  sentences: { start: number; end: number; similarity: number }[]
}

/** A chunk's place in the answer to a question. */
export interface Ranked {
  /** Position in the list of candidates. */
  index: number
  /** What the order rests on, 0..1; comparable only within one question. */
  score: number
  /** How much of the question's IDF the chunk's words cover, 0..1. */
  coverage: number
  /** The sentence that answers best by words and meaning together, with its own cosine; null for a chunk without sentences. */
  best: { start: number; end: number; similarity: number } | null
}

/** A chunk that covers this much of the question's IDF speaks of it, whatever its vectors say. */
const LEAST_COVERAGE = 0.25
/** What the second and the third best sentence of a chunk add to the first. */
const FURTHER = [1, 0.5, 0.25]

/**
 * Orders the chunks of one paper by a question, best first: BM25 over the chunks, and the question's cosine to the best
 * sentences of each chunk, both scaled to 0..1. BM25 weighs as much as the third power of the share of the question's
 * IDF that its best chunk covers: it decides where the question uses the paper's words, the vectors where it does not.
 * The weights were set on one half of the sample papers; docs/decisions/0009-retrieval.md has the figures of the other.
 */
export function blend(question: string, candidates: readonly Candidate[]): Ranked[] {
  const words = bm25(indexTexts(candidates.map(({ content }) => content)), question)
  const top = words.reduce((best, hit) => (hit.score > best.score ? hit : best), { score: 0, coverage: 0 })
  const weight = top.coverage ** 3
  const meanings = scaled(candidates.map(meaningOf))
  const best = bestSentences(question, candidates, weight)
  return candidates
    .map((_, index) => ({
      index,
      score: weight * (top.score > 0 ? words[index]!.score / top.score : 0) + (1 - weight) * meanings[index]!,
      coverage: words[index]!.coverage,
      best: best[index]!,
    }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
}

/**
 * Whether a paper says anything on a question at all. Deliberately generous: of the questions that the sample papers
 * answer 98 % pass (some share no word with the answer), of questions to other papers 19 % are stopped.
 * `leastSimilarity` belongs to the embedding model.
 */
export function isRelevant(ranked: readonly Ranked[], leastSimilarity: number): boolean {
  return ranked.some(({ coverage, best }) => coverage >= LEAST_COVERAGE || (best?.similarity ?? -1) >= leastSimilarity)
}


function meaningOf({ sentences }: Candidate): number | null {
  if (sentences.length === 0) return null
  const best = sentences.map(({ similarity }) => similarity).sort((a, b) => b - a)
  return FURTHER.reduce((sum, share, rank) => sum + share * (rank === 0 ? best[0]! : Math.max(0, best[rank] ?? 0)), 0)
}

/** To 0..1 within the list; null (nothing to compare) is 0. */
function scaled(values: readonly (number | null)[]): number[] {
  const known = values.filter((value) => value !== null)
  const least = Math.min(...known)
  const range = Math.max(...known) - least
  return values.map((value) => (value === null || range <= 0 ? 0 : (value - least) / range))
}

function bestSentences(question: string, candidates: readonly Candidate[], weight: number): Ranked['best'][] {
  const all = candidates.flatMap((candidate, owner) => candidate.sentences.map((sentence) => ({ owner, sentence, candidate })))
  const texts = all.map(({ sentence, candidate: { content, pageOffset } }) =>
    content.slice(sentence.start - pageOffset, sentence.end - pageOffset),
  )
  const hits = bm25(indexTexts(texts), question)
  const best: { value: number; sentence: Ranked['best'] }[] = candidates.map(() => ({ value: -Infinity, sentence: null }))
  all.forEach(({ owner, sentence }, position) => {
    const value = weight * hits[position]!.coverage + (1 - weight) * sentence.similarity
    if (value > best[owner]!.value) best[owner] = { value, sentence }
  })
  return best.map(({ sentence }) => sentence)
}
