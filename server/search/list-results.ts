import type { RankedPassage } from '#server/texts/index.ts'
import type { WordHits } from './queries.ts'
import { placeKey } from './scope-queries.ts'

/** Maximum number of candidates of each list (by words and by meaning) that are ranked together. */
export const CANDIDATES = 200

/**
 * A passage in the list of results. `best`, its best sentence, is null for a passage that was found by words and not ranked.
 */
export interface Listed extends Omit<RankedPassage, 'best'> {
  best: RankedPassage['best'] | null
  /** Number of further passages of the same paper that are omitted from the list. */
  more: number
}

/**
 * Returns the passages of the list of results: first the ranked candidates, then the other passages that were found by words;
 * at most `most` passages of each paper.
 */
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

/** Returns the best passage of each paper, best paper first. */
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
