import { searchTerms } from '#server/language/search-terms.ts'
import type { Span } from '#shared/passages/sentences.ts'
import { planSentences } from './plan-sentences.ts'

/** A candidate of a search over many papers, as the database returns it. */
export interface LibraryCandidate {
  document_id: string
  position: number
  content: string
  page_number: number
  page_offset: number
  /**
   * The sentences with vectors, as offsets in the text of the page, with their cosines to the search. Empty if there are no
   * vectors.
   */
  sentences: { start: number; end: number; similarity: number }[]
  /** The BM25 score of the passage; 0 if it was found by meaning only. */
  words: number
}

/** A ranked passage. `best` is its best sentence, as offsets in `content`. */
export interface RankedPassage {
  document_id: string
  position: number
  score: number
  matched: 'words' | 'meaning' | 'both'
  best: Span
  /** The sentences with vectors, with their cosine to the search, as offsets in the page's text. */
  sentences: LibraryCandidate['sentences']
  /** Whether a better passage of another paper is near-equal, such as that of the article of a preprint. */
  isCopy: boolean
}

export interface RankOptions {
  /** The terms of the search with their IDF. */
  terms: readonly (readonly [string, number])[]
  /** Weight of the BM25 score. The meaning (the cosines) has the weight 1. */
  wordWeight: number
  /** Minimum cosine of the best sentence of a passage that contains no word of the search. */
  leastMeaning: number
}

/**
 * Weights in the ranking of passages, as within a paper (blend.ts). SECOND weights the second highest cosine of a sentence of a
 * passage to the search (the highest has the weight 1). SENTENCE_WORDS, for the choice of a passage's best sentence, weights
 * the share of the search's words that a sentence contains (by IDF).
 */
const SECOND = 0.3
const SENTENCE_WORDS = 0.5
/**
 * The meaning scores are scaled to 0..1 by the range of the scores of this number of nearest passages, so that distant passages
 * do not compress the differences between near ones.
 */
const SCALED = 100
/**
 * A passage that matches by meaning also counts as a match by words ('both') only if it contains at least this share of the
 * search's words, weighted by IDF.
 */
const LEAST_COVERAGE = 0.2
/**
 * Number of passages at the start of the list that are compared with each other. Two passages are near-equal if the share of
 * their common terms is at least EQUAL, such as passages of a preprint and its article.
 */
const COMPARED = 100
const EQUAL = 0.95
/** The separator of title and abstract in the chunk of a paper without a text (page 0). */
const TITLE_END = '\n\n'

/**
 * Rounds a score, so that passages with equal scores keep their order. The last digits of a score vary, because the database
 * adds its parts in any order.
 */
const rounded = (score: number) => Math.round(score * 1e9) / 1e9

/**
 * Ranks the candidates of a search over many papers, best first, by meaning (cosines) and words (BM25, with the weight
 * `wordWeight`). The meaning of a passage is the cosine of its best sentence plus .3 of the cosine of its second best, scaled
 * to 0..1 within the hundred nearest passages; BM25 is divided by its largest value. Candidates that contain no word of the
 * search are omitted if the cosine of their best sentence is below `leastMeaning`. Of near-equal passages of several papers,
 * all but the first have `isCopy`.
 */
export function rankPassages(candidates: readonly LibraryCandidate[], options: RankOptions): RankedPassage[] {
  const { wordWeight, leastMeaning } = options
  const idf = new Map(options.terms)
  const total = [...idf.values()].reduce((sum, weight) => sum + weight, 0) || 1
  const covers = (terms: ReadonlySet<string>) =>
    [...idf].reduce((sum, [term, weight]) => sum + (terms.has(term) ? weight : 0), 0) / total
  const meanings = candidates.map(meaningOf)
  const scale = scaleOf(meanings)
  const mostWords = candidates.reduce((most, { words }) => Math.max(most, words), 0) || 1
  const ranked = candidates.flatMap((candidate, index) => {
    const terms = new Set(searchTerms(candidate.content))
    const coverage = covers(terms)
    // The sentences of a passage without terms of the search have none either.
    const valueOf = coverage > 0 ? (text: string) => covers(new Set(searchTerms(text))) : () => 0
    const own = sentencesOf(candidate)
    const isNear = bestSentence(candidate, own, valueOf).similarity >= leastMeaning
    if (candidate.words === 0 && !isNear) return []
    const score = rounded((scale(meanings[index]!) + (wordWeight * candidate.words) / mostWords) / (1 + wordWeight))
    const hasWords = candidate.words > 0 && (coverage >= LEAST_COVERAGE || !isNear)
    const matched = hasWords ? (isNear ? 'both' : 'words') : 'meaning'
    const { document_id, position, sentences } = candidate
    const best = bestSentence(candidate, withoutTitle(candidate, own), valueOf)
    const span = { start: best.start - candidate.page_offset, end: best.end - candidate.page_offset }
    const row = { document_id, position, score, matched, best: span, sentences } as const
    return [{ row, terms }]
  })
  ranked.sort(
    (a, b) =>
      b.row.score - a.row.score ||
      a.row.document_id.localeCompare(b.row.document_id) ||
      a.row.position - b.row.position,
  )
  return withCopies(ranked)
}

function meaningOf({ sentences }: LibraryCandidate): number | null {
  if (sentences.length === 0) return null
  const [best, second = 0] = sentences.map(({ similarity }) => similarity).sort((a, b) => b - a)
  return best! + SECOND * Math.max(0, second)
}

function scaleOf(meanings: readonly (number | null)[]): (value: number | null) => number {
  const first = meanings
    .filter((value) => value !== null)
    .sort((a, b) => b - a)
    .slice(0, SCALED)
  const most = first[0] ?? 0
  const least = first.length < 2 ? 0 : first.at(-1)!
  return (value) => (value === null || most <= least ? 0 : Math.min(1, Math.max(0, (value - least) / (most - least))))
}

type Sentences = LibraryCandidate['sentences']

/** Returns the sentences of a passage with vectors; all sentences with the similarity 0 if none has a vector. */
function sentencesOf({ content, page_number, page_offset, sentences }: LibraryCandidate): Sentences {
  if (sentences.length > 0) return sentences
  return planSentences({ content, pageNumber: page_number, pageOffset: page_offset, isReference: false }).map(
    (span) => ({ ...span, similarity: 0 }),
  )
}

/**
 * Returns the sentences that can be the best one of a passage. From a chunk of title and abstract (page 0), returns only the
 * sentences of the abstract, because the title reports nothing, or all sentences if there is no abstract. From other passages,
 * returns all sentences.
 */
function withoutTitle({ content, page_number, page_offset }: LibraryCandidate, sentences: Sentences): Sentences {
  const end = page_number === 0 ? content.indexOf(TITLE_END) : -1
  const rest = sentences.filter(({ start }) => start - page_offset > end)
  return rest.length > 0 ? rest : sentences
}

function bestSentence(
  { content, page_offset }: LibraryCandidate,
  sentences: Sentences,
  covers: (text: string) => number,
): Sentences[number] {
  let best = { value: -Infinity, sentence: sentences[0]! }
  for (const sentence of sentences) {
    const text = content.slice(sentence.start - page_offset, sentence.end - page_offset)
    const value = sentence.similarity + SENTENCE_WORDS * covers(text)
    if (value > best.value) best = { value, sentence }
  }
  return best.sentence
}

function withCopies(
  ranked: readonly { row: Omit<RankedPassage, 'isCopy'>; terms: ReadonlySet<string> }[],
): RankedPassage[] {
  const distinct: (typeof ranked)[number][] = []
  return ranked.map((one, index) => {
    const isCopy =
      index < COMPARED &&
      distinct.some((other) => other.row.document_id !== one.row.document_id && areEqual(other.terms, one.terms))
    if (!isCopy) distinct.push(one)
    return { ...one.row, isCopy }
  })
}

/**
 * Returns whether the share of common terms of two passages (Dice coefficient) is at least EQUAL. Returns false if one of them
 * has fewer than ten terms, because short passages can be equal by chance.
 */
function areEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  const needed = (EQUAL * (small.size + large.size)) / 2
  let common = small.size
  if (small.size < 10 || common < needed) return false
  for (const term of small) if (!large.has(term) && --common < needed) return false
  return true
}
