import type { StoredJoin } from '#server/db/stored-duplicates.ts'

/**
 * The fields about keywords that are stored with a join (a merge of duplicate papers). `keywords` are those of the joined paper
 * that the kept paper would not have without its joins.
 */
type JoinedKeywords = Pick<StoredJoin, 'keywords' | 'own_keywords' | 'edited_fields'>

const lower = (words: readonly string[]) => new Set(words.map((word) => word.toLowerCase()))

/** Returns `words` without the words in `others`. Ignores case. */
export function without(words: readonly string[], others: readonly string[]): string[] {
  const excluded = lower(others)
  return words.filter((word) => !excluded.has(word.toLowerCase()))
}

/** Returns the keywords that a paper would have without `joins`, the merges of duplicates into it. */
export const ownKeywords = (keywords: readonly string[], joins: readonly JoinedKeywords[]): string[] =>
  without(
    keywords,
    joins.flatMap((join) => join.keywords),
  )

/**
 * Returns true if the keywords of a paper count as edited only because a user had edited the keywords of a duplicate that was
 * joined with it (merged into it).
 */
export const areEditedByJoins = (keywords: readonly string[], joins: readonly JoinedKeywords[]): boolean =>
  joins.some(({ edited_fields }) => edited_fields.includes('keywords')) && !areChanged(keywords, joins)

/** Returns true if the keywords of a paper were changed after a join (a merge of duplicates). */
function areChanged(keywords: readonly string[], joins: readonly JoinedKeywords[]): boolean {
  const now = lower(keywords)
  const joined = joins.flatMap((join) => join.keywords)
  return joins.some(({ own_keywords }) => {
    if (!own_keywords) return false
    const expected = lower([...own_keywords, ...joined])
    return expected.size !== now.size || [...expected].some((word) => !now.has(word))
  })
}
