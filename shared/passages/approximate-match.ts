import search from 'approx-string-match'

/**
 * Approximate search for a short text in a long one. A linear scan for shared runs of six characters selects a few
 * candidate places; the edit distance of `approx-string-match` (Myers 1999) decides among them. Without the scan, the
 * search of 300 pages takes five times as long (decision 28).
 */

/**
 * A place in the searched text that is similar to the pattern. `start` and `end` are offsets. `score` is 1 minus the number of
 * edits divided by the length; 1 means equal.
 */
export interface ApproximateMatch {
  start: number
  end: number
  score: number
}

const RUN = 6
const TABLE = 1 << 16
/**
 * Number of characters (UTF-16 units) at the start of a pattern that are compared with the text, so that one search takes
 * milliseconds.
 */
const LONGEST_PATTERN = 2000
const PLACES = 4

/**
 * Returns the hash of the last six characters: adds `unit` to the hash of the characters before it. Each call shifts the 30-bit
 * hash by five bits, so a character is dropped after six calls.
 */
const roll = (hash: number, unit: number) => ((hash << 5) ^ unit) & 0x3fffffff
const slot = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> 16

/**
 * A pattern prepared for the search in many texts. `runs` has a 1 at the hash slot of each run of six characters of the
 * pattern.
 */
export interface Pattern {
  text: string
  runs: Uint8Array
}

/**
 * Prepares a text, which consists only of letters and digits, as the pattern of an approximate search. Returns null if it has
 * fewer than 12 characters, because a match of so short a pattern can be chance.
 */
export function preparePattern(text: string): Pattern | null {
  if (text.length < 2 * RUN) return null
  const pattern = text.slice(0, LONGEST_PATTERN)
  const runs = new Uint8Array(TABLE)
  let hash = 0
  for (let at = 0; at < pattern.length; at++) {
    hash = roll(hash, pattern.charCodeAt(at))
    if (at >= RUN - 1) runs[slot(hash)] = 1
  }
  return { text: pattern, runs }
}

/**
 * A place that can be similar to the pattern. `at` is its offset in the text, `count` the number of runs of six characters that
 * it shares with the pattern.
 */
export interface LikelyPlace {
  at: number
  count: number
}

/**
 * Returns up to four places in a text, each of the pattern's length, that share the most runs of six characters with the
 * pattern, the place with the most runs first. `atLeast` is the lowest score of a wanted match, 0..1. Linear time.
 */
export function likelyPlaces(text: string, { text: pattern, runs }: Pattern, atLeast: number): LikelyPlace[] {
  const length = pattern.length
  const hits = new Uint8Array(text.length)
  let hash = 0
  let inside = 0
  // One edit breaks at most RUN runs. Edits are clustered (a changed word), so the factor 0.6 relaxes the bound.
  const needed = Math.max(2, Math.floor((length - RUN + 1) * (1 - (1 - atLeast) * RUN * 0.6)), Math.floor(length / 12))
  const peaks: LikelyPlace[] = []
  for (let at = 0; at < text.length; at++) {
    hash = roll(hash, text.charCodeAt(at))
    if (at >= RUN - 1 && runs[slot(hash)] === 1) {
      hits[at] = 1
      inside++
    }
    if (at >= length) inside -= hits[at - length]!
    if (inside < needed) continue
    const last = peaks.at(-1)
    const begin = Math.max(0, at - length + 1)
    if (last && begin - last.at < length / 2) {
      if (inside > last.count) Object.assign(last, { at: begin, count: inside })
    } else peaks.push({ at: begin, count: inside })
  }
  return peaks.toSorted((a, b) => b.count - a.count || a.at - b.at).slice(0, PLACES)
}

/**
 * Returns the part of the text around a candidate place that is most similar to the pattern. If several parts have the same
 * similarity, returns the first. Returns null if none has at least the score `atLeast`.
 */
export function matchAround(
  text: string,
  { text: pattern }: Pattern,
  place: LikelyPlace,
  atLeast: number,
): ApproximateMatch | null {
  const from = Math.max(0, place.at - Math.ceil(pattern.length * 0.4))
  const to = Math.min(text.length, place.at + Math.ceil(pattern.length * 1.4))
  // A match with e insertions is e longer than the pattern, and its score counts them against that length.
  const mostErrors = Math.floor((pattern.length * (1 - atLeast)) / atLeast)
  let best: ApproximateMatch | null = null
  for (const { start, end, errors } of search(text.slice(from, to), pattern, mostErrors)) {
    const score = 1 - errors / Math.max(pattern.length, end - start)
    if (score >= atLeast && score > (best?.score ?? 0)) best = { start: start + from, end: end + from, score }
  }
  return best
}
