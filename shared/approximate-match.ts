/**
 * Approximate search for a short text in a long one: a linear scan for shared six-letter runs names a few places, and
 * there the edit distance decides (Sellers 1980: the pattern's distance to the nearest substring).
 */

/** `start` and `end` are offsets in the searched text; `score` = 1 - edits / length, 1 is equal. */
export interface ApproximateMatch {
  start: number
  end: number
  score: number
}

const RUN = 6
const TABLE = 1 << 16
/** Longer patterns are compared by their first this many units, so that one search stays within milliseconds. */
const LONGEST_PATTERN = 2000
const PLACES = 4

/** Shifting by five bits lets every unit fall out of a 30-bit number after six steps: a rolling hash without a queue. */
const roll = (hash: number, unit: number) => ((hash << 5) ^ unit) & 0x3fffffff
const slot = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> 16

/** What the scan looks for: made once for a pattern, used on many texts. */
export interface Pattern {
  text: string
  runs: Uint8Array
}

/** Prepares a pattern (already reduced to letters and digits); null when it is too short to be told from chance. */
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

/** A stretch of `text` that shares `count` runs with the pattern; `at` is where it starts. */
export interface LikelyPlace {
  at: number
  count: number
}

/** The stretches, as long as the pattern, that share most runs with it; at most four, most first. Linear. */
export function likelyPlaces(text: string, { text: pattern, runs }: Pattern, atLeast: number): LikelyPlace[] {
  const length = pattern.length
  const hits = new Uint8Array(text.length)
  let hash = 0
  let inside = 0
  // One edit spoils at most RUN runs; edits come in bunches (a changed word), so the bound is used leniently.
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

/** The substring most like the pattern around a likely place. */
export function matchAround(text: string, { text: pattern }: Pattern, place: LikelyPlace): ApproximateMatch {
  const from = Math.max(0, place.at - Math.ceil(pattern.length * 0.4))
  const to = Math.min(text.length, place.at + Math.ceil(pattern.length * 1.4))
  const match = nearestSubstring(text.slice(from, to), pattern)
  return { start: match.start + from, end: match.end + from, score: match.score }
}

/** The substring of `text` with the smallest edit distance to `pattern`. O(text x pattern). */
function nearestSubstring(text: string, pattern: string): ApproximateMatch {
  const width = text.length + 1
  let above = new Int32Array(width)
  let starts = Int32Array.from({ length: width }, (_, at) => at)
  let row = new Int32Array(width)
  let rowStarts = new Int32Array(width)
  for (let p = 1; p <= pattern.length; p++) {
    const wanted = pattern.charCodeAt(p - 1)
    row[0] = p
    rowStarts[0] = 0
    for (let t = 1; t < width; t++) {
      const change = above[t - 1]! + (text.charCodeAt(t - 1) === wanted ? 0 : 1)
      const leftOut = above[t]! + 1
      const added = row[t - 1]! + 1
      if (change <= leftOut && change <= added) {
        row[t] = change
        rowStarts[t] = starts[t - 1]!
      } else if (leftOut <= added) {
        row[t] = leftOut
        rowStarts[t] = starts[t]!
      } else {
        row[t] = added
        rowStarts[t] = rowStarts[t - 1]!
      }
    }
    ;[above, row] = [row, above]
    ;[starts, rowStarts] = [rowStarts, starts]
  }
  let end = 0
  for (let t = 1; t < width; t++) if (above[t]! < above[end]!) end = t
  const start = starts[end]!
  return { start, end, score: Math.max(0, 1 - above[end]! / Math.max(pattern.length, end - start)) }
}
