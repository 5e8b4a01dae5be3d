/** Normalizes a text for the comparison: NFKC, one kind of dash and apostrophe, single spaces, no page markers. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/^\[Page \d+\]$/gm, '')
    .replace(/[‐‑–—]/g, '-')
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()

/**
 * Returns the character error rate of the normalized texts: the least number of insertions, deletions and substitutions that
 * change `found` into `truth`, divided by the length of the truth (0 is perfect). Levenshtein distance with two rows in memory.
 */
export function characterErrorRate(truth: string, found: string): number {
  const a = plain(truth)
  const b = plain(found)
  let row = Uint32Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = new Uint32Array(b.length + 1)
    next[0] = i
    const letter = a.charCodeAt(i - 1)
    for (let j = 1; j <= b.length; j++) {
      const substituted = row[j - 1]! + (letter === b.charCodeAt(j - 1) ? 0 : 1)
      next[j] = Math.min(substituted, row[j]! + 1, next[j - 1]! + 1)
    }
    row = next
  }
  return row[b.length]! / Math.max(1, a.length)
}
