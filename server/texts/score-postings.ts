/**
 * The entries of one term in the inverted index. `postings` has '<paper id>{positions}{counts}{lengths}' for each paper: for
 * each passage that contains the term, its position, the number of occurrences, and its number of terms.
 */
export interface Postings {
  /** The IDF of the term. */
  weight: number
  postings: string
  term: string
}

export interface ScoreOptions {
  /** The mean number of terms of a passage. */
  meanLength: number
  /** A passage must match every group. It matches a group if it has all terms of one of its alternatives. */
  needed: readonly (readonly (readonly string[])[])[]
  /** Maximum number of returned passages. */
  limit: number
}

/**
 * The result of a search by BM25: the best passages, and the numbers of all passages and papers that match. A passage matches
 * if it contains a term of the search and fulfills the condition `needed` (see ScoreOptions).
 */
export interface ScoredPassages {
  passages: number
  papers: number
  hits: [documentId: string, position: number, score: number][]
}

/** The usual constants of BM25. The search within a paper (bm25.ts) uses the same. */
const K1 = 1.2
const B = 0.75
const ID_LENGTH = 36

/** The passages of a paper that contain a term. Maps the position of a passage to its index in the list of scores. */
type Passages = Map<number, number>

/**
 * Computes the BM25 score of the passages that contain any of the terms and fulfill the condition `needed` (see ScoreOptions).
 * Returns the `limit` passages with the highest scores, highest first. Passages with equal scores are ordered by paper and
 * position.
 */
export function scorePostings(lists: readonly Postings[], { meanLength, needed, limit }: ScoreOptions): ScoredPassages {
  const papers = new Map<string, Passages>()
  const scores: number[] = []
  const terms = new Map<number, Set<string>>()
  for (const { term, weight, postings } of lists)
    eachPosting(postings, (id) => {
      const passages = papers.get(id) ?? new Map<number, number>()
      papers.set(id, passages)
      return (position, count, length) => {
        const number = passages.get(position) ?? scores.push(0) - 1
        passages.set(position, number)
        scores[number]! += (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / meanLength))
        if (needed.length > 0) terms.set(number, (terms.get(number) ?? new Set()).add(term))
      }
    })
  for (const [number, own] of terms)
    if (!needed.every((group) => group.some((all) => all.every((term) => own.has(term))))) scores[number] = NOT_FOUND
  return { ...count(papers, scores), hits: best(papers, scores, limit) }
}

/** The score of a passage that does not match `needed`. All other scores are positive, because no IDF is 0. */
const NOT_FOUND = -1

function count(papers: ReadonlyMap<string, Passages>, scores: readonly number[]): Omit<ScoredPassages, 'hits'> {
  const isFound = (number: number) => scores[number]! > NOT_FOUND
  return {
    passages: scores.filter((score) => score > NOT_FOUND).length,
    papers: [...papers.values()].filter((passages) => [...passages.values()].some(isFound)).length,
  }
}

function best(papers: ReadonlyMap<string, Passages>, scores: readonly number[], limit: number): ScoredPassages['hits'] {
  // Only the best become objects, because there may be tens of thousands.
  const least = limit < scores.length ? Float64Array.from(scores).sort().at(-limit)! : 0
  const hits: ScoredPassages['hits'] = []
  for (const [id, passages] of papers)
    for (const [position, number] of passages)
      if (scores[number]! > NOT_FOUND && scores[number]! >= least) hits.push([id, position, scores[number]!])
  return hits.sort((a, b) => b[2] - a[2] || (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1])).slice(0, limit)
}

type OnPosting = (position: number, count: number, length: number) => void

/** Reads `postings`. Calls `paper` for each paper, and then the returned function for each passage of this paper. */
function eachPosting(postings: string, paper: (id: string) => OnPosting): void {
  for (let at = 0; at < postings.length;) {
    const positions = at + ID_LENGTH
    const counts = postings.indexOf('}', positions) + 1
    const lengths = postings.indexOf('}', counts) + 1
    const end = postings.indexOf('}', lengths) + 1
    const onPosting = paper(postings.slice(at, positions))
    const cursors: [number, number, number] = [positions + 1, counts + 1, lengths + 1]
    while (cursors[0] < counts)
      onPosting(readNumber(postings, cursors, 0), readNumber(postings, cursors, 1), readNumber(postings, cursors, 2))
    at = end
  }
}

const [MINUS, ZERO] = [45, 48]

/** Reads the number at one of the cursors (offsets in `text`), and moves this cursor past the character after the number. */
function readNumber(text: string, cursors: [number, number, number], cursor: 0 | 1 | 2): number {
  let at = cursors[cursor]
  const isNegative = text.charCodeAt(at) === MINUS
  if (isNegative) at++
  let value = 0
  for (let digit = text.charCodeAt(at) - ZERO; digit >= 0 && digit <= 9; digit = text.charCodeAt(++at) - ZERO)
    value = value * 10 + digit
  cursors[cursor] = at + 1
  return isNegative ? -value : value
}
