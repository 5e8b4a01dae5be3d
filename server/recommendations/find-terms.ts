import { searchTerms } from '#server/language/search-terms.ts'

/** Returns the phrases whose terms all occur in a text, in any inflected form. Keeps the order of the phrases. */
export function findTerms(phrases: readonly string[], text: string): string[] {
  const words = new Set(searchTerms(text))
  return phrases.filter((phrase) => {
    const wanted = searchTerms(phrase)
    return wanted.length > 0 && wanted.every((word) => words.has(word))
  })
}
