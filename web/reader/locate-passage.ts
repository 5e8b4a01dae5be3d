import { endOfCharacter, type NormalizedText, normalizeWithMap } from '#shared/passages/letters-and-digits.ts'

/**
 * A range of characters in a text item of a PDF page. `piece` is the index of the text item on the page. `from` and `to` are
 * UTF-16 offsets in the text item; `to` is exclusive.
 */
export interface Spot {
  piece: number
  from: number
  to: number
}

/** The place of a passage on a PDF page: the ranges of characters that the passage covers, in the order of the page. */
export interface Located {
  spots: Spot[]
  /** Fraction of the passage's letters that were found, 0 to 1. */
  coverage: number
  /** The text of the page in the ranges, joined with spaces. */
  text: string
}

/**
 * A range of the page's letters and digits that matches a part of the passage. `found` is the number of matching letters: it is
 * smaller than `length` if the range contains a gap.
 */
interface Run {
  from: number
  length: number
  found: number
  /** Offset at which the range begins in the letters and digits of the passage. */
  wantedFrom: number
}

/** Minimum length of a match in letters. Shorter sequences can occur anywhere on a page. */
const SEED = 12
/**
 * Maximum gap between two matching ranges that is highlighted too, in letters. Gaps are for example a corrected accent or a
 * formula.
 */
const BRIDGE = 24
/** Length in letters from which a match is unlikely to be a coincidence. */
const LIKELY = 20
/** Minimum fraction of the letters of a passage that must be found on the page. Below it, the passage counts as not found. */
const ENOUGH = 0.5

/**
 * Finds a passage in the text items of a PDF page (`pieces`, in page order). Compares only normalized letters and digits,
 * because the stored text and the PDF differ in hyphens, spaces, ligatures and accents. `start` is the offset of the passage in
 * the page's stored text, or null. Searches the whole passage first and prefers whole words, then the match nearest to `start`.
 * Otherwise it combines the longest parts of the passage that the page contains. Returns null if less than half of the passage
 * is found.
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
  const spots = inPageOrder(stretches).flatMap((stretch) => spotsOf(pieces, stretch))
  return { spots, coverage, text: spots.map((spot) => pieces[spot.piece]!.slice(spot.from, spot.to)).join(' ') }
}

/**
 * Returns the offset of the best match of `wanted` in the letters of the page, or null. Prefers a match of whole words, then
 * the match nearest to the offset `expected`.
 */
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

/**
 * Returns true if a match cuts a word: a letter or digit is directly outside of `edge`. `step` is -1 for the start of the
 * match, 0 for its end.
 */
function isInWord(joined: string, edge: number, step: -1 | 0): boolean {
  return /[\p{L}\p{N}]/u.test(joined.charAt(edge + step))
}

/**
 * Splits the letters of a passage (`wanted`) into parts that the page contains. Each part is as long as possible and has at
 * least `SEED` letters; letters at which no such part begins are skipped. Prefers places near the offset `expected`.
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
 * Returns the length of the longest prefix of `wanted` that `letters` contains, or 0 if it is shorter than `seed`. Uses a
 * binary search: if `letters` contains a prefix, it also contains every shorter one.
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

/** Joins ranges if the gap between them is small both on the page and in the passage. */
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
 * Removes short ranges, except the longest one, because a few words can occur anywhere on a page. For example, only the first
 * half of a passage across a page break is on this page, and the words of the second half must not be highlighted by
 * coincidence.
 */
function withoutChance(runs: readonly Run[]): Run[] {
  const longest = Math.max(0, ...runs.map((run) => run.found))
  return runs.filter((run) => run.found === longest || run.found >= LIKELY)
}

/**
 * Extends the range `stretch` by the punctuation before and after the quote, such as quotation marks, if the page contains it.
 */
function withPunctuation(joined: string, quote: string, stretch: { from: number; to: number }): void {
  const closing = /[^\p{L}\p{N}\s]*$/u.exec(quote.trim())?.[0] ?? ''
  for (const mark of closing) if (joined.startsWith(mark, stretch.to)) stretch.to += mark.length
  const opening = /^[^\p{L}\p{N}\s]*/u.exec(quote.trim())?.[0] ?? ''
  for (const mark of [...opening].reverse()) {
    if (joined.startsWith(mark, stretch.from - mark.length)) stretch.from -= mark.length
  }
}

/** Sorts ranges by their start and joins those that overlap. A passage can have the sentences of the page in another order. */
function inPageOrder(stretches: readonly { from: number; to: number }[]): { from: number; to: number }[] {
  const ordered: { from: number; to: number }[] = []
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = ordered.at(-1)
    if (last && stretch.from < last.to) last.to = Math.max(last.to, stretch.to)
    else ordered.push({ ...stretch })
  }
  return ordered
}

/**
 * Splits a range of the joined text into ranges of text items. The joined text contains the items with a line break between
 * them.
 */
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
