import { searchTerms } from '#server/language/search-terms.ts'

/** A question with fewer terms, or with one of these words, can refer to the previous question. */
const LEAST_TERMS = 3
const REFERS =
  /^(?:and|but|why|what about|how about)\b|\b(?:it|its|they|them|their|this|that|these|those|he|she|the same)\b/i

/** Returns the previous question if a question can refer to it. */
export function questionBefore(question: string, turns: readonly { question: string }[]): string | null {
  const before = turns.at(-1)
  if (!before) return null
  return new Set(searchTerms(question)).size < LEAST_TERMS || REFERS.test(question) ? before.question : null
}

/** Returns the text to search for a question. It includes the previous question if the question can refer to it. */
export function searchText(question: string, turns: readonly { question: string }[]): string {
  const before = questionBefore(question, turns)
  return before === null ? question : `${question}\n${before}`
}
