import { candidateKeys, type ComparedReference, comparedReference, explainLikeness } from '#server/matching/index.ts'
import type { StoredComparison } from '#server/db/stored-duplicates.ts'
import type { Likeness } from '#shared/contract/duplicates.ts'
import type { Candidates, Keyed, Waiting } from './check-queries.ts'
import type { SuspectedPair } from './pair-queries.ts'

/**
 * Maximum number of pairs of a document. Only its most similar pairs are stored, because more copies of one paper mean an error
 * in their source.
 */
const MOST_PAIRS = 20

/**
 * A task for the worker thread. 'keys': computes the comparison values and keys of papers. 'compare': finds the candidate pairs
 * that are suspected to be the same paper.
 */
export type CompareTask =
  | { kind: 'keys'; papers: Pick<Waiting, 'id' | 'reference'>[] }
  | { kind: 'compare'; papers: { id: string; compared: StoredComparison }[]; candidates: Candidates[] }

/** Returns for each paper the values that a comparison uses, and its comparison keys. */
export const keysOf = (papers: readonly Pick<Waiting, 'id' | 'reference'>[]): Keyed[] =>
  papers.map(({ id, reference }) => {
    const compared = comparedReference(reference)
    return { id, compared: { ...compared }, keys: candidateKeys(compared) }
  })

const RANK: Record<Likeness, number> = { certain: 2, suspected: 1, 'preprint and article': 1 }
const rankOf = ({ likeness, title_likeness, equal }: SuspectedPair) =>
  RANK[likeness] + title_likeness + equal.length / 100

/**
 * Compares the documents of each candidate pair, and returns the pairs that are suspected to be the same paper. Of the pairs
 * with the same document `one`, returns only the 20 most similar.
 */
export function pairsOf(
  papers: readonly { id: string; compared: StoredComparison }[],
  candidates: readonly Candidates[],
): SuspectedPair[] {
  const byId = new Map(papers.map(({ id, compared }) => [id, compared as unknown as ComparedReference]))
  const pairs = candidates.flatMap(({ one, other }) => {
    const [a, b] = [byId.get(one), byId.get(other)]
    const found = a && b && explainLikeness(a, b)
    return found
      ? [{ one, pair: { ...found, first: one < other ? one : other, second: one < other ? other : one } }]
      : []
  })
  return [...Map.groupBy(pairs, ({ one }) => one).values()].flatMap((own) =>
    own
      .map(({ pair }) => pair)
      .toSorted((a, b) => rankOf(b) - rankOf(a))
      .slice(0, MOST_PAIRS),
  )
}
