import { learnEastAsianLines } from './east-asian-lines.ts'
import type { PageItems, PageLines } from './page-lines.ts'
import { joinSegments, pageSegments } from './page-lines.ts'
import { readingOrder } from './page-order.ts'
import { joinLines, learnHyphens, usualLeading } from './page-paragraphs.ts'
import { dropLineNumbers, stripRunningHeads } from './page-running-heads.ts'

export type { PageItems, TextItem } from './page-lines.ts'

/** Metadata of a PDF file. It is not checked against the pages. */
export interface PdfMetadata {
  title?: string
  author?: string
  subject?: string
  keywords?: string
  /** The DOI without the address of a resolver: '10.5555/…'. */
  doi?: string
  /** The date, or date and time, in ISO 8601. */
  creationDate?: string
}

/** One line of the first page. Size and position are in points; `y` is the baseline, measured from the bottom of the page. */
export interface FirstPageLine {
  text: string
  size: number
  x: number
  y: number
}

/** The lines of the first page in reading order, including running heads. Title, journal and date are read from them. */
export interface FirstPage {
  width: number
  height: number
  lines: FirstPageLine[]
  /** Running heads and feet of all pages, each once. Undefined for texts that earlier versions extracted. */
  heads?: string[]
}

export interface DocumentLayout {
  /** The text of each page. Index 0 is page 1. */
  texts: string[]
  firstPage: FirstPage
}

/**
 * Converts the text items of all pages to page texts in reading order, without running heads. Joins the lines of paragraphs,
 * and removes hyphens at line ends according to the vocabulary of the document. The function is pure: browser and server
 * produce the same text.
 */
export function layoutDocument(pages: readonly PageItems[]): DocumentLayout {
  const ordered = pages.map((page) => {
    const { width, height, lines } = pageSegments(page)
    return { width, height, lines: readingOrder(dropLineNumbers(lines), width) }
  })
  const laid = ordered.map((page) => ({ ...page, lines: joinSegments(page.lines) }))
  const { pages: stripped, heads } = stripRunningHeads(laid)
  const bodies = stripped.map((page) => page.lines)
  const lines = bodies.flat()
  const joins = { keepsHyphen: learnHyphens(lines), joinsWithoutSpace: learnEastAsianLines(lines) }
  const leading = usualLeading(bodies)
  return {
    texts: bodies.map((lines) => joinLines(lines, joins, leading)),
    firstPage: { ...firstPageOf(ordered[0]), heads },
  }
}

/** Minimum width of a gap, in font sizes, that splits a row of the first page: two running heads, or authors side by side. */
const FIRST_PAGE_GAP = 3

function firstPageOf(page: PageLines | undefined): FirstPage {
  if (!page) return { width: 0, height: 0, lines: [] }
  const round = (value: number) => Math.round(value * 100) / 100
  const lines = joinSegments(page.lines, FIRST_PAGE_GAP).map(({ text, size, x, y }) => ({
    text,
    size: round(size),
    x: round(x),
    y: round(y),
  }))
  return { width: round(page.width), height: round(page.height), lines }
}
