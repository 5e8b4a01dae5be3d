import { endOfCharacter, type NormalizedText, normalizeWithMap } from '#shared/passages/letters-and-digits.ts'

/** A range in one text item: UTF-16 offsets, `to` exclusive. */
export interface Spot {
  piece: number
  from: number
  to: number
}

/** A passage found on a page, as ranges in page order. */
export interface Located {
  spots: Spot[]
  /** Fraction of the passage's letters that were found, 0 to 1. */
  coverage: number
  /** The highlighted text of the page; items are joined with a space. */
  text: string
}

/** A range of the page's letters; `found` of them belong to the passage. */
interface Run {
  from: number
  length: number
  found: number
  /** Offset of the run in the searched letters. */
  wantedFrom: number
}

/** Minimum length of a match in letters. Shorter ones occur anywhere on a page. */
const SEED = 12
/** A gap of at most this many letters between two runs (a corrected accent, a formula) is highlighted too. */
const BRIDGE = 24
/** A run of this many letters is not a chance match. */
const LIKELY = 20
/** Below this fraction of the letters, the passage counts as not found. */
const ENOUGH = 0.5

/**
 * Finds a passage in the items of a page's text layer. The stored text and the text layer differ in hyphens, spaces,
 * ligatures, accents and running heads, so only folded letters and digits are compared. The whole passage is searched
 * first. Of several matches, whole words come before parts of words, then the match nearest to the position of `start`.
 * A passage that the layer contains only in parts (for example with a caption between two columns) is assembled from
 * its longest prefixes.
 *
 * @param pieces strings of the text layer in its order @param start offset of the passage in the page's stored text,
 * null when not known
 */
export function locatePassage(pieces: readonly string[], quote: string, start: number | null): Located | null {
  const joined = pieces.join('\n')
  const page = normalizeWithMap(joined)
  const wanted = normalizeWithMap(quote).text
  if (!wanted || !page.text) return null
  const expected = start === null ? 0 : (start * page.text.length) / joined.length
  const whole = bestPlace(joined, page, wanted, expected)
  const runs =
    whole === null
      ? withoutChance(bridge(runsOf(page.text, wanted, expected)))
      : [{ from: whole, length: wanted.length, found: wanted.length, wantedFrom: 0 }]
  const found = runs.reduce((sum, run) => sum + run.found, 0)
  const coverage = Math.min(1, found / wanted.length)
  if (coverage < ENOUGH) return null
  const stretches = runs.map((run) => ({
    from: page.map[run.from]!,
    to: endOfCharacter(joined, page.map[run.from + run.length - 1]!),
  }))
  if (whole !== null) withPunctuation(joined, quote, stretches[0]!)
  const spots = stretches.flatMap((stretch) => spotsOf(pieces, stretch))
  return { spots, coverage, text: spots.map((spot) => pieces[spot.piece]!.slice(spot.from, spot.to)).join(' ') }
}

/** Returns the best match of `wanted`: whole words first, then the one nearest to `expected`; null without a match. */
function bestPlace(joined: string, page: NormalizedText, wanted: string, expected: number): number | null {
  let best: number | null = null
  let bestCost = Infinity
  for (let hit = page.text.indexOf(wanted); hit >= 0; hit = page.text.indexOf(wanted, hit + 1)) {
    const broken =
      isInWord(joined, page.map[hit]!, -1) ||
      isInWord(joined, endOfCharacter(joined, page.map[hit + wanted.length - 1]!), 0)
    const cost = Math.abs(hit - expected) + (broken ? page.text.length : 0)
    if (cost < bestCost) [best, bestCost] = [hit, cost]
  }
  return best
}

/** Returns true if a letter or digit is beside an edge of the match. `step`: -1 for its start, 0 for its end. */
function isInWord(joined: string, edge: number, step: -1 | 0): boolean {
  return /[\p{L}\p{N}]/u.test(joined.charAt(edge + step))
}

/**
 * Splits the searched letters into runs: each is the longest prefix of the remaining letters that the page contains. A letter at
 * which no run of `SEED` letters begins is skipped.
 */
function runsOf(letters: string, wanted: string, expected: number): Run[] {
  const runs: Run[] = []
  const seed = Math.min(SEED, wanted.length)
  let cursor = expected
  let position = 0
  while (position + seed <= wanted.length) {
    const length = longestPrefix(letters, wanted.slice(position), seed)
    if (length === 0) {
      position += 1
      continue
    }
    const from = nearest(letters, wanted.slice(position, position + length), cursor)
    runs.push({ from, length, found: length, wantedFrom: position })
    position += length
    cursor = from + length
  }
  return runs
}

/**
 * Returns the length of the longest prefix of `wanted` that occurs in `letters`; 0 if it is shorter than `seed`. Bisection,
 * because every prefix of a match is a match.
 */
function longestPrefix(letters: string, wanted: string, seed: number): number {
  if (!letters.includes(wanted.slice(0, seed))) return 0
  let low = seed
  let high = wanted.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (letters.includes(wanted.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}

function nearest(letters: string, part: string, cursor: number): number {
  let best = letters.indexOf(part)
  for (let hit = best; hit >= 0; hit = letters.indexOf(part, hit + 1)) {
    if (Math.abs(hit - cursor) < Math.abs(best - cursor)) best = hit
  }
  return best
}

/** Joins runs that are close to each other on the page and in the passage. */
function bridge(runs: readonly Run[]): Run[] {
  const joined: Run[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    const hole = last ? run.from - (last.from + last.length) : -1
    const skipped = last ? run.wantedFrom - (last.wantedFrom + last.length) : 0
    if (!last || hole < 0 || hole > BRIDGE || skipped > BRIDGE) joined.push({ ...run })
    else {
      last.length = run.from + run.length - last.from
      last.found += run.found
    }
  }
  return joined
}

/**
 * Drops short runs, except the longest one: a few words can occur anywhere on a page, and the rest of a passage across a page
 * break must not highlight other words.
 */
function withoutChance(runs: readonly Run[]): Run[] {
  const longest = Math.max(0, ...runs.map((run) => run.found))
  return runs.filter((run) => run.found === longest || run.found >= LIKELY)
}

/** Extends the range by the quote's opening and closing marks if the page has them. */
function withPunctuation(joined: string, quote: string, stretch: { from: number; to: number }): void {
  const closing = /[^\p{L}\p{N}\s]*$/u.exec(quote.trim())?.[0] ?? ''
  for (const mark of closing) if (joined.startsWith(mark, stretch.to)) stretch.to += mark.length
  const opening = /^[^\p{L}\p{N}\s]*/u.exec(quote.trim())?.[0] ?? ''
  for (const mark of [...opening].reverse()) {
    if (joined.startsWith(mark, stretch.from - mark.length)) stretch.from -= mark.length
  }
}

/** Splits a range of the joined text (items and one line break each) into ranges of items. */
function spotsOf(pieces: readonly string[], stretch: { from: number; to: number }): Spot[] {
  const spots: Spot[] = []
  let offset = 0
  pieces.forEach((text, piece) => {
    const from = Math.max(0, stretch.from - offset)
    const to = Math.min(text.length, stretch.to - offset)
    if (from < to && text.slice(from, to).trim()) spots.push({ piece, from, to })
    offset += text.length + 1
  })
  return spots
}
