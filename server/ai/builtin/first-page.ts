import { locateIn } from '#shared/passages/find-passage.ts'
import type { FirstPage } from '#shared/pdf-text/page-layout.ts'
import type { Paragraph } from './paragraphs.ts'
import { readHeading } from '#server/language/section-headings.ts'
import { isReference } from './sentences.ts'

/** Maximum length of the text that is read as page 1, in characters. A text without page markers is one long page. */
const LONGEST_FIRST_PAGE = 15_000

/** Texts of the first pages and the last page, including running heads if the layout is known. */
export interface FrontMatter {
  /** Paragraphs of page 1. */
  paragraphs: string[]
  /** `runningLines`, then the paragraphs of page 1, joined by spaces. */
  flat: string
  /** Lines at the top and bottom of page 1 (adjacent lines are joined), and running heads of all pages; [] without a layout. */
  runningLines: string[]
  /** `runningLines`, and the paragraphs of pages 1 to 3 and of the last page, where publishers put dates and citations. */
  around: string[]
  /** The first paragraphs of page 2, where a long list of authors continues. */
  nextPage: string[]
  /** Returns whether the first pages contain this lower-case word. A word of a name usually occurs only with a capital. */
  isCommonWord: (word: string) => boolean
}

/** Collects the text in which title, DOI, date and journal are searched. The size of each part is bounded. */
export function frontMatter(paragraphs: readonly Paragraph[], firstPage: FirstPage | null): FrontMatter {
  const first = paragraphs[0]?.page ?? 1
  const last = paragraphs.at(-1)?.page ?? first
  const referencesAt = paragraphs.findIndex((one) => readHeading(one.text)?.role === 'references')
  const firstOnes = paragraphs
    .slice(0, referencesAt < 0 ? 200 : Math.min(referencesAt, 200))
    .filter((one) => one.page === first)
    .map((one) => one.text)
  let length = 0
  const onFirst = firstOnes.filter((text) => (length += text.length) < LONGEST_FIRST_PAGE)
  const near = paragraphs.filter((one) => one.page > first && one.page <= first + 2).map((one) => one.text)
  const atEnd = last > first + 2 ? paragraphs.filter((one) => one.page === last).map((one) => one.text) : []
  const runningLines = firstPage ? [...bandLines(firstPage), ...(firstPage.heads ?? [])] : []
  const prose = [...onFirst, ...near.slice(0, 200)].join(' ').replace(/(?<!\S)\S*(?:@|:\/\/|www\.)\S*/g, ' ')
  const common = new Set(prose.match(/(?<![\p{L}’'-])\p{Ll}{3,}/gu))
  return {
    nextPage: near.slice(0, 5),
    isCommonWord: (word) => common.has(word),
    paragraphs: onFirst,
    flat: [...runningLines, ...onFirst].join(' ').slice(0, 40_000),
    runningLines,
    around: [
      ...runningLines,
      ...onFirst,
      ...[...near.slice(0, 200), ...atEnd.slice(0, 60)].filter((text) => !isReference(text)),
    ],
  }
}

/**
 * Finds `words` in `flat`, the text of the first page. Compares only letters and digits. Returns the words in the form in which
 * the page prints them, in one line, or null if the page does not contain them.
 */
export function asPrinted(flat: string, words: string): string | null {
  const found = locateIn(flat, words)
  return found && found.match !== 'approximate' ? flat.slice(found.start, found.end).replace(/\s+/g, ' ') : null
}

/** Matches labels that are printed beside a journal's name and are not part of it. */
const LABEL = /^(?:open access|(?:original )?(?:research|article|paper|review)(?: article| paper)?)$/i

/**
 * Returns the lines in the top and bottom bands of the page (14 % and 12 % of its height). Joins a line with the line above it
 * if both have the same size. Excludes the last lines of the running text and of tables.
 */
function bandLines(page: FirstPage): string[] {
  const isHead = (text: string) => (page.heads ?? []).some((head) => head.includes(text))
  const isBodySize = (size: number) => Math.abs(size - commonSize(page)) < 0.2
  const isText = page.lines.map(() => false)
  for (const [at, line] of page.lines.entries()) {
    const before = page.lines[at - 1]
    const isNext =
      before && Math.abs(before.size - line.size) < 0.2 && before.y > line.y && before.y - line.y < line.size * 1.7
    isText[at] = Boolean(isNext) && (before!.y >= page.height * 0.12 || isText[at - 1]!)
  }
  const inBand = page.lines.filter(
    (line, at) =>
      !LABEL.test(line.text) &&
      (line.y > page.height * 0.86 ||
        (line.y < page.height * 0.12 &&
          (isHead(line.text) || (!isText[at] && !isBodySize(line.size) && /\d|©|www\./.test(line.text))))),
  )
  const joined: { text: string; size: number; y: number }[] = []
  for (const line of inBand) {
    const last = joined.at(-1)
    const isNext = last && Math.abs(last.size - line.size) < 0.2 && last.y > line.y && last.y - line.y < line.size * 1.6
    if (last && isNext) Object.assign(last, { text: `${last.text} ${line.text}`, y: line.y })
    else joined.push({ text: line.text, size: line.size, y: line.y })
  }
  return joined.map((line) => line.text.slice(0, 1500))
}

/** Returns the type size, in points, of most of the text between the top and bottom bands; 0 without text there. */
function commonSize(page: FirstPage): number {
  const lengths = new Map<number, number>()
  const inside = page.lines.filter(({ y }) => y >= page.height * 0.12 && y <= page.height * 0.86)
  for (const { size, text } of inside) lengths.set(size, (lengths.get(size) ?? 0) + text.length)
  return [...lengths].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}
