import stem from 'wink-porter2-stemmer'

/** A sentence as a vector of length 1: the TF-IDF weight of each word stem, by the stem. */
export type Vector = Map<string, number>

const DAMPING = 0.85
const ROUNDS = 30
/** Minimum cosine of two related sentences. Sentences with a lower cosine count as unrelated. */
const LEAST_COSINE = 0.1

/**
 * Returns the word stems of a text without stopwords and very short or long words, in the order of the text, with repetitions.
 * `stopwords` are in lower case.
 */
export function contentWords(text: string, stopwords: ReadonlySet<string>): string[] {
  return (text.toLowerCase().match(/\p{L}[\p{L}\p{N}-]*/gu) ?? [])
    .filter((word) => word.length > 2 && word.length < 40 && !stopwords.has(word))
    .map((word) => stem(word))
}

/**
 * Returns a vector for each text, in the same order: the TF-IDF weights of its word stems, scaled to length 1. Similar texts
 * have vectors with a high `cosine`.
 */
export function sentenceVectors(texts: readonly string[], stopwords: ReadonlySet<string>): Vector[] {
  const words = texts.map((text) => contentWords(text, stopwords))
  const inTexts = new Map<string, number>()
  for (const list of words) for (const word of new Set(list)) inTexts.set(word, (inTexts.get(word) ?? 0) + 1)
  return words.map((list) => {
    const vector: Vector = new Map()
    for (const word of list) vector.set(word, (vector.get(word) ?? 0) + 1)
    let square = 0
    for (const [word, count] of vector) {
      const weight = (1 + Math.log(count)) * Math.log(1 + texts.length / inTexts.get(word)!)
      vector.set(word, weight)
      square += weight * weight
    }
    const length = Math.sqrt(square) || 1
    for (const [word, weight] of vector) vector.set(word, weight / length)
    return vector
  })
}

/** Returns the cosine of two vectors of length 1, 0..1. */
export function cosine(a: Vector, b: Vector): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [word, weight] of small) sum += weight * (large.get(word) ?? 0)
  return sum
}

/**
 * Returns the centrality of each sentence, 0..1 with 1 for the most central: LexRank (Erkan & Radev 2004), which is
 * PageRank over the graph of TF-IDF cosines. O(n²) in the number of sentences: pass at most some hundreds.
 */
export function centrality(vectors: readonly Vector[]): number[] {
  const count = vectors.length
  const edges: { to: number; weight: number }[][] = vectors.map(() => [])
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      const weight = cosine(vectors[a]!, vectors[b]!)
      if (weight <= LEAST_COSINE) continue
      edges[a]!.push({ to: b, weight })
      edges[b]!.push({ to: a, weight })
    }
  }
  const total = edges.map((list) => list.reduce((sum, edge) => sum + edge.weight, 0))
  let rank = vectors.map(() => 1 / count)
  for (let round = 0; round < ROUNDS; round++) {
    const next = vectors.map(() => (1 - DAMPING) / count)
    for (const [from, list] of edges.entries()) {
      for (const { to, weight } of list) next[to]! += (DAMPING * rank[from]! * weight) / total[from]!
    }
    rank = next
  }
  const top = Math.max(...rank, Number.MIN_VALUE)
  return rank.map((value) => value / top)
}

/**
 * Returns the indexes of up to `most` sentences, best first. Each choice has the highest score after a deduction for its
 * similarity to the sentences chosen before it (maximal marginal relevance, Carbonell & Goldstein 1998). Never chooses two
 * sentences with a cosine above 0.6.
 */
export function chooseDiverse(scores: readonly number[], vectors: readonly Vector[], most: number): number[] {
  const chosen: number[] = []
  const left = new Set(scores.keys())
  while (chosen.length < most && left.size > 0) {
    let best = -1
    let bestValue = -Infinity
    for (const at of left) {
      const repeats = chosen.reduce((max, other) => Math.max(max, cosine(vectors[at]!, vectors[other]!)), 0)
      const value = repeats > 0.6 ? -Infinity : scores[at]! - 0.7 * repeats
      if (value > bestValue) {
        best = at
        bestValue = value
      }
    }
    if (best < 0) break
    chosen.push(best)
    left.delete(best)
  }
  return chosen
}
