/**
 * Returns a query for `to_tsquery` that matches texts with all of the words, each as a prefix. A word of one or two ASCII
 * letters or digits must match exactly, because as a prefix it would match too much. Returns '' for no words.
 */
export const wordQuery = (words: readonly string[]): string =>
  words.map((word) => (/^[a-z0-9]{1,2}$/.test(word) ? `'${word}'` : `'${word}':*`)).join(' & ')

const WORDS_MAX = 20

/** Returns the first twenty words of a search in lower case. A word has letters and digits only. */
export const typedWords = (search: string): string[] =>
  (search.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, WORDS_MAX)
