import type { PageItems, PageLines } from './page-lines.ts'
import { joinSegments, pageSegments } from './page-lines.ts'
import { readingOrder } from './page-order.ts'
import { joinLines, learnHyphens, usualLeading } from './page-paragraphs.ts'
import { dropLineNumbers, stripRunningHeads } from './page-running-heads.ts'

export type { PageItems, TextItem } from './page-lines.ts'

/** What a PDF says about itself; nothing here is checked against its pages. */
export interface PdfMetadata {
  title?: string
  author?: string
  subject?: string
  keywords?: string
  /** Bare, without a resolver's address: '10.5555/…'. */
  doi?: string
  /** ISO date or date and time. */
  creationDate?: string
}

/** One line of the first page: font size and place in points; `y` is the baseline counted from the page's bottom. */
export interface FirstPageLine {
  text: string
  size: number
  x: number
  y: number
}

/** The first page in reading order, running heads included: what title, journal and date are read from. */
export interface FirstPage {
  width: number
  height: number
  lines: FirstPageLine[]
}

export interface DocumentLayout {
  /** Index 0 is page 1. */
  texts: string[]
  firstPage: FirstPage
}

/**
 * Text items of all pages to page texts: reading order, running heads stripped, paragraphs joined, hyphens resolved by
 * the document's own vocabulary. Pure, so that the browser and the server give the same text for the same PDF.
 */
export function layoutDocument(pages: readonly PageItems[]): DocumentLayout {
  const ordered = pages.map((page) => {
    const { width, height, lines } = pageSegments(page)
    return { width, height, lines: readingOrder(dropLineNumbers(lines), width) }
  })
  const laid = ordered.map((page) => ({ ...page, lines: joinSegments(page.lines) }))
  const bodies = stripRunningHeads(laid).map((page) => page.lines)
  const keepsHyphen = learnHyphens(bodies.flat())
  const leading = usualLeading(bodies)
  return {
    texts: bodies.map((lines) => joinLines(lines, keepsHyphen, leading)),
    firstPage: firstPageOf(ordered[0]),
  }
}

/** A row of the first page is split where it is wide open: two running heads, or authors side by side. */
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
