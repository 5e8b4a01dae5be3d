/** Page size in PDF points, after rotation. */
export interface PageSize {
  width: number
  height: number
}

/** Tops and heights of the pages in CSS pixels, measured from the top of the scrolled content. Index 0 is page 1. */
export interface PageStack {
  tops: number[]
  heights: number[]
  width: number
  total: number
}

/** Space around and between pages, in CSS pixels. */
export const PAGE_GAP = 16

/**
 * Calculates the positions of the pages below each other, all with the width `width` in CSS pixels. A page whose size is not
 * known yet gets the size of the first page, so that the total height is known from the start.
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

/**
 * Returns the number (from 1) of the page at the height `y` in CSS pixels. The gap below a page counts as part of that page.
 */
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

/**
 * Returns the numbers (from 1) of the first and the last page to render: the visible pages, and the pages up to one screen
 * above and below. `viewport` is the height of the visible area in CSS pixels.
 */
export function pagesNear(stack: PageStack, scrollTop: number, viewport: number): { first: number; last: number } {
  return { first: pageAt(stack, scrollTop - viewport), last: pageAt(stack, scrollTop + 2 * viewport) }
}

/** A point of a page that must stay at the same place on the screen when the positions of the pages change. */
export interface Anchor {
  page: number
  /** Position of the point in the page, as a fraction of the page height. It is above 1 in the gap below the page. */
  share: number
  /** Distance of the point from the top of the viewport, in CSS pixels. */
  offset: number
}

/**
 * Height at which the user is assumed to read, as a fraction of the viewport height from the top. Cited passages are scrolled
 * to it.
 */
export const READING_LINE = 0.35

/** Returns the point of the pages that is on the reading line. */
export function anchorOf(stack: PageStack, scrollTop: number, viewport: number): Anchor {
  const offset = viewport * READING_LINE
  const page = pageAt(stack, scrollTop + offset)
  const share = (scrollTop + offset - stack.tops[page - 1]!) / stack.heights[page - 1]!
  return { page, share, offset }
}

/**
 * Returns the scroll position, in CSS pixels, at which the point `anchor` of a page is `anchor.offset` CSS pixels below the top
 * of the viewport. It keeps this point at the same place on the screen when the positions of the pages change.
 */
export function scrollTopFor(stack: PageStack, anchor: Anchor): number {
  const top = stack.tops[anchor.page - 1]
  if (top === undefined) return 0
  return Math.max(0, top + anchor.share * stack.heights[anchor.page - 1]! - anchor.offset)
}
