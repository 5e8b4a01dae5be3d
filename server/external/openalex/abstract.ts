/** Positions beyond this are not believed: no abstract is that long, and one number must not cost a gigabyte. */
const WORDS_MAX = 20_000

/** The text whose words stand at these positions. Null where there is none; positions that are no positions are passed over. */
export function abstractOf(invertedIndex: Record<string, readonly number[]> | null | undefined): string | null {
  const words: string[] = []
  for (const [word, positions] of Object.entries(invertedIndex ?? {}))
    for (const at of positions) if (Number.isInteger(at) && at >= 0 && at < WORDS_MAX) words[at] = word
  // A gap is a word that got lost on the way; join would put nothing there, and two spaces.
  return words.filter(Boolean).join(' ').trim() || null
}
