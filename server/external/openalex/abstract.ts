/**
 * Limit of the positions of words in an abstract. Larger positions are ignored, because an array up to a very large position
 * could use a gigabyte of memory.
 */
const WORDS_MAX = 20_000

/**
 * Rebuilds an abstract from OpenAlex's inverted index, which has the positions of each word. Invalid positions are ignored.
 * Returns null for a missing or empty index.
 */
export function abstractOf(invertedIndex: Record<string, readonly number[]> | null | undefined): string | null {
  const words: string[] = []
  for (const [word, positions] of Object.entries(invertedIndex ?? {}))
    for (const at of positions) if (Number.isInteger(at) && at >= 0 && at < WORDS_MAX) words[at] = word
  // A position without a word would give two spaces.
  return words.filter(Boolean).join(' ').trim() || null
}
