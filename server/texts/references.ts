import { splitPages, type PageText } from '#shared/pdf-text/page-text.ts'
import type { Span } from '#shared/passages/sentences.ts'
import { firstIndex } from '#shared/text/first-index.ts'

const NAMES =
  'references?(?: cited| list)?|bibliography|literature cited|works cited|reference list|notes and references|cited literature'
/** Matches the heading of a list of references that is a whole line, numbered or not. */
const HEADING = new RegExp(`^[ \\t]*(?:(?:\\d{1,2}|[IVX]{1,4})[.)]?[ \\t]+)?(?:${NAMES})(?:[ \\t]*:)?[ \\t]*$`, 'gim')
/**
 * Matches the heading of a list of references in the same line as its first entry: '… for funding. References [1] A. Author …'.
 */
const RUN_ON = new RegExp(
  `(?<=^|\\n|[.!?)] )(?:References|REFERENCES|Bibliography|BIBLIOGRAPHY|Literature Cited|LITERATURE CITED):? ` +
    `(?=\\[1\\]|\\(1\\)|1[.)]? \\p{Lu}|\\p{Lu}[\\p{L}’'-]+,? (?:\\p{Lu}\\.|\\p{Lu}{1,3}\\b))`,
  'gu',
)
/** Matches the headings of sections that can follow the references. */
const NEXT_SECTION =
  /^[ \t]*(?:[A-Z][.)]?[ \t]+)?(?:appendi(?:x|ces)|annex|supplement(?:ary|al)?\b|supporting information|(?:online )?methods|materials and methods|acknowledge?ments?|author contributions|data availability|extended data|figure legends)\b[^\n]{0,80}$/gim

/** Matches patterns that are frequent in lists of references: years, initials, page ranges, volumes, DOIs. */
const SIGNS =
  /\b(?:19|20)\d\d[a-z]?\b|\b\p{Lu}\.|\b\p{Lu}{1,2},|\d[–-]\d|\b\d+ ?\(\d+|\bdoi\b|https?:|\bet al\b|\bpp?\.|\bvol\b|\bISBN\b|\bIn:/giu
/**
 * Minimum number of matches of SIGNS per 100 characters in a list of references. The prose of the sample papers has less than
 * 1, their lists have more than 3.
 */
const LEAST_DENSITY = 1.8
const WINDOW = 700

/**
 * Finds the lists of references of a paper, as offsets in the stored text (`PageText.start` + offset in the page). A list
 * begins with its heading and ends before the next section, such as an appendix, before prose, or at the end of the text. A
 * heading counts only if the text after it resembles a list of references. Returns [] if there is no list. Reads the text once
 * for any number of headings.
 */
export function findReferences(pages: readonly PageText[]): Span[] {
  const joined = joinTexts(pages)
  const { text } = joined
  const headings = headingsIn(text)
  if (headings.length === 0) return []
  const signs = [...placesOf(text, SIGNS, headings[0])]
  const nextSection = nextOf(sectionsIn(joined, signs, headings[0]!))
  const nextProse = nextOf(proseIn(text, signs, headings[0]!))
  const ranges: Span[] = []
  for (const start of headings) {
    if (start < (ranges.at(-1)?.end ?? 0)) continue
    const window = text.slice(start, start + WINDOW)
    const body = start + window.search(/\s/) + 1
    if (density(signs, body, start + window.length) < LEAST_DENSITY) continue
    ranges.push({ start, end: Math.min(nextSection(start), nextProse(start), text.length - 1) })
  }
  return ranges.map(({ start, end }) => ({ start: joined.toStored(start), end: joined.toStored(end) }))
}

/** Returns whether an offset in the stored text is in one of the lists of references. */
export function isInReferences(ranges: readonly Span[], place: number): boolean {
  const range = ranges[firstIndex(ranges, ({ end }) => end > place)]
  return range !== undefined && range.start <= place
}

/**
 * Returns the starts and ends of lists of references between two offsets in the stored text, as distances from the first
 * offset. The time does not depend on the number of other lists.
 */
export function bordersIn(ranges: readonly Span[], from: number, to: number): number[] {
  const borders: number[] = []
  for (let at = firstIndex(ranges, ({ end }) => end > from); at < ranges.length && ranges[at]!.start < to; at++)
    borders.push(ranges[at]!.start, ranges[at]!.end)
  return borders.filter((border) => border > from && border < to).map((border) => border - from)
}

/** The texts of pages, each with a line break at its end. `starts` are the offsets of the pages in `text`. */
interface JoinedText {
  text: string
  starts: readonly number[]
  /** Converts an offset in `text` to an offset in the stored text. */
  toStored: (place: number) => number
}

function joinTexts(pages: readonly PageText[]): JoinedText {
  const starts: number[] = []
  let length = 0
  for (const page of pages) {
    starts.push(length)
    length += page.text.length + 1
  }
  const toStored = (place: number) => {
    const page = firstIndex(starts, (start) => start > place) - 1
    return pages[page]!.start + place - starts[page]!
  }
  return { text: pages.map((page) => `${page.text}\n`).join(''), starts, toStored }
}

/** Returns the offsets of the matches of a pattern from the offset `from` on. */
function* placesOf(text: string, pattern: RegExp, from = 0): Generator<number, void> {
  const copy = new RegExp(pattern, pattern.flags)
  copy.lastIndex = from
  for (const { index } of text.matchAll(copy)) yield index
}

function headingsIn(text: string): number[] {
  const places = [...placesOf(text, HEADING), ...placesOf(text, RUN_ON)]
  return [...new Set(places)].sort((a, b) => a - b)
}

/**
 * Returns a function that returns the first of `places` after an offset, or Infinity. Neither the places nor the offsets of its
 * calls may decrease. Reads each place once.
 */
function nextOf(places: Iterator<number, void>): (from: number) => number {
  let place = -1
  return (from) => {
    while (place <= from) place = places.next().value ?? Infinity
    return place
  }
}

/** Returns the number of places from `from` to before `to` per 100 characters. */
function density(places: readonly number[], from: number, to: number): number {
  const count = firstIndex(places, (place) => place >= to) - firstIndex(places, (place) => place >= from)
  return to > from ? (100 * count) / (to - from) : 0
}

/** Returns the headings of sections that can end a list of references, from the offset `from` on. */
function* sectionsIn({ text, starts }: JoinedText, signs: readonly number[], from: number): Generator<number, void> {
  for (const place of placesOf(text, NEXT_SECTION, from)) {
    // An entry can wrap to a line that begins with such a word: the text of the page after it must not resemble a list.
    const page = starts[firstIndex(starts, (start) => start > place)] ?? text.length
    if (density(signs, place, Math.min(place + WINDOW, page - 1)) < LEAST_DENSITY) yield place
  }
}

/** Matches the start of a line or sentence, at which the text after a list can begin. */
const BEGINNING = /(?<=\n)\S|(?<=[.!?] )\p{Lu}/gu
/** Matches SIGNS, and more patterns of entries: addresses, access dates and the number of an entry at the start of a line. */
const ENTRY = new RegExp(`${SIGNS.source}|\\bwww\\.|\\baccessed \\d|^\\[?\\d{1,3}[\\].]? \\p{Lu}`, 'gimu')
/** Number of characters that must resemble prose. Not even a list of web pages and laws resembles prose for so long. */
const PROSE = 1400
/** Number of first characters that must resemble prose, too. Otherwise the last entry of the list would count as prose. */
const PROSE_BEGINNING = 350
/** Maximum number of matches of ENTRY per 100 characters of prose. The lists of the sample papers have more. */
const MOST_IN_PROSE = 0.8

/** Returns the places from the offset `from` on at which a line or sentence begins and the text resembles prose. */
function* proseIn(text: string, signs: readonly number[], from: number): Generator<number, void> {
  const entries = [...placesOf(text, ENTRY, from)]
  let lineEnd = -1
  for (const place of placesOf(text, BEGINNING, from)) {
    // A heading at the end of the text is not prose.
    if (place + PROSE / 2 > text.length) return
    const isProse = (size: number) => density(entries, place, Math.min(place + size, text.length)) < MOST_IN_PROSE
    if (lineEnd < place) lineEnd = text.indexOf('\n', place)
    // The last sentence of an entry, such as 'Nat Hazards 98(1):319–341', begins within a line.
    const endsEntry = text[place - 1] !== '\n' && density(signs, place, lineEnd) > 0
    if (!endsEntry && isProse(PROSE) && isProse(PROSE_BEGINNING)) yield place
  }
}

/** Returns a stored text without its lists of references. Its page markers remain. */
export function textWithoutReferences(stored: string): string {
  const marker = /\n{0,2}\[Page \d{1,6}\][ \t]*\n/g
  let text = ''
  let from = 0
  for (const { start, end } of findReferences(splitPages(stored))) {
    text += stored.slice(from, start) + (stored.slice(start, end).match(marker)?.join('') ?? '')
    from = end
  }
  return text + stored.slice(from)
}
