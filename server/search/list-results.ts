import type { RankedPassage } from '#server/texts/index.ts'
import type { Asked } from './plan-search.ts'
import type { WordHits } from './queries.ts'
import { placeKey } from './scope-queries.ts'

/**
 * A passage in the list of results. `best`, its best sentence, is null for a passage that was found by words and not ranked.
 */
export interface Listed extends Omit<RankedPassage, 'best'> {
  best: RankedPassage['best'] | null
  /** Number of further passages of the same paper that are omitted from the list. */
  more: number
}

/**
 * Returns the list of results: first the ranked candidates, then the other passages that were found by words. A list of papers
 * has the best passage of each paper. A list of passages has at most `mostOfPaper` passages of each paper, and no copies of
 * passages of other papers. With `more_of`, returns the passages of this paper that the list leaves out.
 */
export function listResults(
  { query: { kind, more_of }, mostOfPaper }: Pick<Asked, 'query' | 'mostOfPaper'>,
  ranked: readonly RankedPassage[],
  hits: WordHits['hits'],
): Listed[] {
  const isPapers = kind === 'papers'
  const all = allOf(ranked, hits).filter(({ isCopy }) => isPapers || !isCopy)
  const most = isPapers ? 1 : mostOfPaper
  if (more_of === undefined) return atMost(most, all)
  const others = all.filter(({ document_id }) => document_id === more_of).slice(most)
  return others.map((one) => ({ ...one, more: 0 }))
}

/** Returns the first `most` passages of each paper. `more` of the last of them is the number of its other passages. */
export function atMost(most: number, passages: readonly Omit<Listed, 'more'>[]): Listed[] {
  const listed: Listed[] = []
  const lastOf = new Map<string, { row: Listed; count: number }>()
  for (const one of passages) {
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

function allOf(ranked: readonly RankedPassage[], hits: WordHits['hits']): Omit<Listed, 'more'>[] {
  const known = new Set(ranked.map(placeKey))
  const rest = hits.flatMap(([document_id, position]) =>
    known.has(`${document_id} ${position}`)
      ? []
      : [{ document_id, position, score: 0, matched: 'words' as const, best: null, sentences: [], isCopy: false }],
  )
  return [...ranked, ...rest]
}
