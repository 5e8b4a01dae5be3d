/** Page size in PDF points, after rotation. */
export interface PageSize {
  width: number
  height: number
}

/** Positions of the pages in CSS pixels from the top of the scrolled content; index 0 is page 1. */
export interface PageStack {
  tops: number[]
  heights: number[]
  width: number
  total: number
}

/** Space around and between pages, in CSS pixels. */
export const PAGE_GAP = 16

/**
 * Stacks pages at one common width. A page of unknown size gets the size of the first page, so that the total height is
 * known from the start.
 */
export function stackPages(count: number, sizes: ReadonlyMap<number, PageSize>, width: number): PageStack {
  const first = sizes.get(1) ?? { width: 210, height: 297 }
  const tops: number[] = []
  const heights: number[] = []
  let top = PAGE_GAP
  for (let page = 1; page <= count; page += 1) {
    const size = sizes.get(page) ?? first
    const height = Math.round((width * size.height) / size.width)
    tops.push(top)
    heights.push(height)
    top += height + PAGE_GAP
  }
  return { tops, heights, width, total: top }
}

/** Returns the page (from 1) at `y`. The gap below a page belongs to that page. */
export function pageAt(stack: PageStack, y: number): number {
  let low = 0
  let high = stack.tops.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (stack.tops[middle]! <= y) low = middle
    else high = middle - 1
  }
  return low + 1
}

/** Returns the pages to render: the visible ones and one screen above and below. */
export function pagesNear(stack: PageStack, scrollTop: number, viewport: number): { first: number; last: number } {
  return { first: pageAt(stack, scrollTop - viewport), last: pageAt(stack, scrollTop + 2 * viewport) }
}

/** A point of the paper that stays at its screen position while the stack changes. */
export interface Anchor {
  page: number
  /** Fraction of the page height above the point; above 1 in the gap below the page. */
  share: number
  /** Distance from the top of the viewport, in CSS pixels. */
  offset: number
}

/** Reading line as a fraction of the viewport height. Cited passages are scrolled to it. */
export const READING_LINE = 0.35

/** Returns the point of the paper on the reading line. */
export function anchorOf(stack: PageStack, scrollTop: number, viewport: number): Anchor {
  const offset = viewport * READING_LINE
  const page = pageAt(stack, scrollTop + offset)
  const share = (scrollTop + offset - stack.tops[page - 1]!) / stack.heights[page - 1]!
  return { page, share, offset }
}

/** Returns the scroll position, in CSS pixels, at which the point of the anchor has its former screen position. */
export function scrollTopFor(stack: PageStack, anchor: Anchor): number {
  const top = stack.tops[anchor.page - 1]
  if (top === undefined) return 0
  return Math.max(0, top + anchor.share * stack.heights[anchor.page - 1]! - anchor.offset)
}
