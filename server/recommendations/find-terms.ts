import { searchTerms } from '#server/lib/search-terms.ts'

/** The phrases whose words a text uses, all of them and in whatever form, in the order of the phrases. */
export function findTerms(phrases: readonly string[], text: string): string[] {
  const words = new Set(searchTerms(text))
  return phrases.filter((phrase) => {
    const wanted = searchTerms(phrase)
    return wanted.length > 0 && wanted.every((word) => words.has(word))
  })
}
