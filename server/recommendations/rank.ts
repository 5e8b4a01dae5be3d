/** The ranking signals of one candidate paper. Similarities are cosines of embeddings. */
export interface Signals {
  /** The BM25 score of title and abstract for the question. */
  words: number
  /** The similarity of the title or of a sentence of the abstract to the question, whichever is higher. */
  meaning: number
  /** Similarity to the most similar paper of the project; null if the project has no papers. */
  kept: number | null
  /** Similarity to the most similar dismissed recommendation; null if none was dismissed. */
  dismissed: number | null
  /** Years since publication; null when unknown. */
  age: number | null
  openAccess: boolean
  citedBy: number
  /** Embedding of the title, length 1. */
  vector: Float32Array
}

/** A candidate that was chosen as a recommendation. */
export interface Placed {
  /** Position in the list of candidates. */
  index: number
  /** 0..1, comparable only within one list. */
  score: number
}

const WEIGHTS = { words: 0.4, meaning: 0.35, recency: 0.12, openAccess: 0.05, citations: 0.08 }
/**
 * Weights that raise the score of candidates similar to papers of the project (KEPT) and lower the score of candidates similar
 * to dismissed recommendations (DISMISSED). Only the part of a similarity above the median of all candidates counts.
 */
const KEPT = 0.5
const DISMISSED = 0.8
/** A newer paper gets a higher recency score: it is 1 for a new paper and falls to 1/e (37 %) after this number of years. */
const FADES_YEARS = 6
/**
 * Avoids near-duplicates among the recommendations. If the title of a candidate is more similar than ALIKE to the title of a
 * candidate that was already chosen, its score is lowered by SAMENESS times the excess.
 */
const ALIKE = 0.6
const SAMENESS = 0.5

/**
 * Returns the best candidates, best first. Keyword and meaning scores are scaled to 0..1 within the list. The similarity to
 * project papers and to dismissed papers counts only above the median of the list, because some embedding models give high
 * similarities to everything. A candidate loses score if it is similar to a candidate that was already chosen (maximal marginal
 * relevance, Carbonell & Goldstein 1998).
 */
export function rank(candidates: readonly Signals[], limit: number): Placed[] {
  const words = scaled(candidates.map((one) => one.words))
  const meaning = scaled(candidates.map((one) => one.meaning))
  const kept = aboveMiddle(candidates.map((one) => one.kept))
  const dismissed = aboveMiddle(candidates.map((one) => one.dismissed))
  const waiting = candidates.map((one, index) => ({
    index,
    score:
      WEIGHTS.words * words[index]! +
      WEIGHTS.meaning * meaning[index]! +
      WEIGHTS.recency * recency(one.age) +
      (one.openAccess ? WEIGHTS.openAccess : 0) +
      WEIGHTS.citations * Math.min(1, Math.log10(1 + one.citedBy) / 3) +
      KEPT * kept[index]! -
      DISMISSED * dismissed[index]!,
    repeats: 0,
  }))
  const chosen: Placed[] = []
  while (chosen.length < limit && waiting.length > 0) {
    const worth = (one: (typeof waiting)[number]) => one.score - SAMENESS * Math.max(0, one.repeats - ALIKE)
    const best = waiting.reduce((a, b) => (worth(b) > worth(a) ? b : a))
    waiting.splice(waiting.indexOf(best), 1)
    chosen.push({ index: best.index, score: Math.min(1, Math.max(0, best.score)) })
    for (const one of waiting)
      one.repeats = Math.max(one.repeats, cosine(candidates[one.index]!.vector, candidates[best.index]!.vector))
  }
  return chosen
}

const recency = (age: number | null) => (age === null ? 0 : Math.exp(-Math.max(0, age) / FADES_YEARS))

/** Cosine similarity of two vectors of length 1. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * (b[at] ?? 0)
  return sum
}

function scaled(values: readonly number[]): number[] {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity)
  const range = values.reduce((a, b) => Math.max(a, b), -Infinity) - least
  return values.map((value) => (range > 0 ? (value - least) / range : 0))
}

function aboveMiddle(values: readonly (number | null)[]): number[] {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  const middle = known[Math.floor(known.length / 2)] ?? 0
  return values.map((value) => (value === null ? 0 : Math.max(0, value - middle)))
}
