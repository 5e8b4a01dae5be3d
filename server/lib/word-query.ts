/**
 * Words for `to_tsquery`: every one must be there, each as the beginning of a longer one. A word of one or two plain
 * letters must stand as it is: as a beginning it would fit everything.
 */
export const wordQuery = (words: readonly string[]): string =>
  words.map((word) => (/^[a-z0-9]{1,2}$/.test(word) ? `'${word}'` : `'${word}':*`)).join(' & ')

const WORDS_MAX = 20

/** The words of what somebody typed into a search, in lower case: letters and digits alone, twenty at most. */
export const typedWords = (search: string): string[] =>
  (search.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, WORDS_MAX)
