import { splitPages, type PageText } from '#shared/pdf-text/page-text.ts'
import type { Span } from '#shared/passages/sentences.ts'

const NAMES =
  'references?(?: cited| list)?|bibliography|literature cited|works cited|reference list|notes and references|cited literature'
/** Matches the heading of a list of references that is a whole line, numbered or not. */
const HEADING = new RegExp(`^[ \\t]*(?:(?:\\d{1,2}|[IVX]{1,4})[.)]?[ \\t]+)?(?:${NAMES})[ \\t]*:?[ \\t]*$`, 'gim')
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
 * heading counts only if the text after it resembles a list of references. Returns [] if there is no list.
 */
export function findReferences(pages: readonly PageText[]): Span[] {
  const stored = pages.flatMap((page) => headings(page).map((start) => ({ start, page })))
  const ranges: Span[] = []
  for (const { start, page } of stored) {
    if (start < (ranges.at(-1)?.end ?? 0)) continue
    const first = pages.indexOf(page)
    // Two more pages, because the heading can be the last line of one and the next can be empty.
    const list = pages
      .slice(first, first + 3)
      .map((one) => one.text.slice(Math.max(0, start - one.start)))
      .join('\n')
    const body = list.slice(list.search(/\s/) + 1, WINDOW)
    if (density(body) < LEAST_DENSITY) continue
    ranges.push({ start, end: endOf(pages.slice(first), start) })
  }
  return ranges
}

/** Returns whether an offset in the stored text is in one of the lists of references. */
export const isInReferences = (ranges: readonly Span[], place: number) =>
  ranges.some(({ start, end }) => place >= start && place < end)

function headings({ text, start }: PageText): number[] {
  const places = [...text.matchAll(HEADING), ...text.matchAll(RUN_ON)].map((found) => start + found.index)
  return [...new Set(places)].sort((a, b) => a - b)
}

/**
 * Returns the end of the list that begins at `from`: the heading of the next section, or the first paragraph from which the
 * text resembles prose, if it is earlier, or the end of the text.
 */
function endOf(pages: readonly PageText[], from: number): number {
  const heading = endAtHeading(pages, from)
  return Math.min(heading, endAtProse(pages, from, heading))
}

function endAtHeading(pages: readonly PageText[], from: number): number {
  for (const { text, start } of pages) {
    for (const found of text.matchAll(NEXT_SECTION)) {
      const place = start + found.index
      // An entry can wrap to a line that begins with such a word: the text after it must not resemble a list.
      if (place > from && density(text.slice(found.index, found.index + WINDOW)) < LEAST_DENSITY) return place
    }
  }
  const last = pages.at(-1)!
  return last.start + last.text.length
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

/**
 * Returns the first place after `from` at which a line or sentence begins and the text resembles prose, or `most` if there is
 * none before `most`. The time is linear in the length of the text.
 */
function endAtProse(pages: readonly PageText[], from: number, most: number): number {
  const starts: { joined: number; stored: number }[] = []
  let text = ''
  for (const page of pages) {
    const first = Math.max(0, from - page.start)
    starts.push({ joined: text.length, stored: page.start + first })
    text += `${page.text.slice(first)}\n`
  }
  const entries = [...text.matchAll(ENTRY)].map(({ index }) => index)
  let page = 0
  let passed = 0
  for (const { index } of text.matchAll(BEGINNING)) {
    // A heading at the end of the text is not prose.
    if (index + PROSE / 2 > text.length) break
    while (page + 1 < starts.length && starts[page + 1]!.joined <= index) page++
    const place = starts[page]!.stored + index - starts[page]!.joined
    if (place >= most) break
    while (passed < entries.length && entries[passed]! < index) passed++
    const isProse = (size: number) => {
      const end = Math.min(index + size, text.length)
      const mostEntries = (MOST_IN_PROSE * (end - index)) / 100
      const next = entries[passed + Math.ceil(mostEntries) - 1]
      return next === undefined || next >= end
    }
    if (isProse(PROSE) && isProse(PROSE_BEGINNING) && !endsEntry(text, index)) return place
  }
  return most
}

/** Returns whether the last sentence of an entry, such as 'Nat Hazards 98(1):319–341', begins at `index`. */
const endsEntry = (text: string, index: number) =>
  text[index - 1] !== '\n' && density(text.slice(index, text.indexOf('\n', index) + 1)) > 0

function density(text: string): number {
  return text.length === 0 ? 0 : (100 * (text.match(SIGNS)?.length ?? 0)) / text.length
}

/** Returns a stored text without its lists of references. Its page markers remain. */
export function textWithoutReferences(stored: string): string {
  const marker = /\n*\[Page \d+\][ \t]*\n/g
  let text = ''
  let from = 0
  for (const { start, end } of findReferences(splitPages(stored))) {
    text += stored.slice(from, start) + (stored.slice(start, end).match(marker)?.join('') ?? '')
    from = end
  }
  return text + stored.slice(from)
}
