import { searchTerms } from '#server/language/search-terms.ts'

/** The usual constants of BM25; see Robertson & Zaragoza 2009, The Probabilistic Relevance Framework: BM25 and Beyond. */
const K1 = 1.2
const B = 0.75

/** The score of one text for a question. */
export interface Bm25Hit {
  /** The BM25 score, at least 0. */
  score: number
  /** Share of the question's words, weighted by IDF, that the text contains, 0..1. */
  coverage: number
}

/** The statistics of a collection that BM25 needs. */
export interface Bm25Index {
  texts: { counts: Map<string, number>; length: number }[]
  documentFrequency: Map<string, number>
  meanLength: number
}

/** Counts the terms of each text of a collection, for a search by BM25. The time is proportional to the length of all texts. */
export function indexTexts(texts: readonly string[]): Bm25Index {
  const documentFrequency = new Map<string, number>()
  const indexed = texts.map((text) => {
    const terms = searchTerms(text)
    const counts = new Map<string, number>()
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const term of counts.keys()) documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1)
    return { counts, length: terms.length }
  })
  const total = indexed.reduce((sum, { length }) => sum + length, 0)
  return { texts: indexed, documentFrequency, meanLength: total / Math.max(1, indexed.length) || 1 }
}

/** Returns the inverse document frequency of a term, highest for a term that never occurs. Never negative. */
export function idf(index: Bm25Index, term: string): number {
  const n = index.documentFrequency.get(term) ?? 0
  return Math.log(1 + (index.texts.length - n + 0.5) / (n + 0.5))
}

/**
 * Scores every text of the collection for a question by Okapi BM25. Returns one hit for each text, in the order of
 * the collection.
 */
export function bm25(index: Bm25Index, question: string): Bm25Hit[] {
  const weights = [...new Set(searchTerms(question))].map((term) => [term, idf(index, term)] as const)
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  return index.texts.map(({ counts, length }) => {
    let score = 0
    let covered = 0
    for (const [term, weight] of weights) {
      const count = counts.get(term)
      if (!count) continue
      score += (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / index.meanLength))
      covered += weight
    }
    return { score, coverage: total > 0 ? covered / total : 0 }
  })
}
