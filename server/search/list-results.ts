import type { RankedPassage } from '#server/texts/index.ts'
import type { WordHits } from './queries.ts'
import { placeKey } from './scope-queries.ts'

/** Maximum number of candidates of each list (by words and by meaning) that are ranked together. */
export const CANDIDATES = 200

/** A row of the list of results. `best` is null beyond the ranked candidates: found by words only. */
export interface Listed extends Omit<RankedPassage, 'best'> {
  best: RankedPassage['best'] | null
  /** Further passages of the paper. */
  more: number
}

/** Returns the passages in order: the ranked candidates, then the others by their words; at most `most` of each paper. */
export function listPassages(ranked: readonly RankedPassage[], hits: WordHits['hits'], most: number): Listed[] {
  const listed: Listed[] = []
  const lastOf = new Map<string, { row: Listed; count: number }>()
  for (const one of allOf(ranked, hits)) {
    const before = lastOf.get(one.document_id)
    if (before && before.count >= most) {
      before.row.more++
      continue
    }
    const row = { ...one, more: 0 }
    listed.push(row)
    lastOf.set(one.document_id, { row, count: (before?.count ?? 0) + 1 })
  }
  return listed
}

/** Returns the papers in the order of their best passages. */
export const listPapers = (ranked: readonly RankedPassage[], hits: WordHits['hits']): Listed[] =>
  listPassages(ranked, hits, 1)

function allOf(ranked: readonly RankedPassage[], hits: WordHits['hits']): Omit<Listed, 'more'>[] {
  const known = new Set(ranked.map(placeKey))
  // The first hits were ranked. A candidate that the ranking left out is equal to a passage of another paper.
  const first = ranked.length > 0 ? CANDIDATES : 0
  const rest = hits
    .slice(first)
    .flatMap(([document_id, position]) =>
      known.has(`${document_id} ${position}`)
        ? []
        : [{ document_id, position, score: 0, matched: 'words' as const, best: null, sentences: [] }],
    )
  return [...ranked, ...rest]
}
