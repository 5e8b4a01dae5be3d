/** A page's size in PDF points, its rotation already applied. */
export interface PageSize {
  width: number
  height: number
}

/** Where every page stands on the desk, in CSS pixels from the top of the scrolled content; index 0 is page 1. */
export interface PageStack {
  tops: number[]
  heights: number[]
  width: number
  total: number
}

/** The strip of desk around and between pages, in CSS pixels. */
export const PAGE_GAP = 16

/**
 * Stacks pages of one common width. A page whose size is not known yet borrows that of the first page, so that a long
 * paper has its full length from the start.
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

/** The page (from 1) that stands at `y`; the gap below a page counts as that page. */
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

/** The pages to keep drawn: those on screen and one screen beyond either edge. */
export function pagesNear(stack: PageStack, scrollTop: number, viewport: number): { first: number; last: number } {
  return { first: pageAt(stack, scrollTop - viewport), last: pageAt(stack, scrollTop + 2 * viewport) }
}

/** A point of the paper that stays where it is on screen while the stack around it changes. */
export interface Anchor {
  page: number
  /** Share of the page's height above the point; above 1 in the gap below the page. */
  share: number
  /** Distance of the point from the top of the viewport, in CSS pixels. */
  offset: number
}

/** What a reader looks at stands somewhat above the middle; the cited passage is put at the same height. */
export const READING_LINE = 0.35

/** The point of the paper on the reading line of the viewport. */
export function anchorOf(stack: PageStack, scrollTop: number, viewport: number): Anchor {
  const offset = viewport * READING_LINE
  const page = pageAt(stack, scrollTop + offset)
  const share = (scrollTop + offset - stack.tops[page - 1]!) / stack.heights[page - 1]!
  return { page, share, offset }
}

/** The scroll position that brings an anchor back to its place on screen. */
export function scrollTopFor(stack: PageStack, anchor: Anchor): number {
  const top = stack.tops[anchor.page - 1]
  if (top === undefined) return 0
  return Math.max(0, top + anchor.share * stack.heights[anchor.page - 1]! - anchor.offset)
}
