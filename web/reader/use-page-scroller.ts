import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import {
  type Anchor,
  anchorOf,
  pageAt,
  PAGE_GAP,
  type PageStack,
  pagesNear,
  READING_LINE,
  scrollTopFor,
} from './page-stack.ts'

interface PageScroller {
  /** The first and last page to render, from 1. `current` is the page that the user reads, from 1. */
  near: { first: number; last: number }
  current: number
  /** Reads the scroll position of the element. Call it on every scroll event. */
  look: () => void
  /** Returns false from a scroll event until scrolling has ended. */
  isStill: () => boolean
  showPage: (page: number) => void
  /**
   * Scrolls to a part of a page; `top` and `bottom` are fractions of the page height. The part is placed at the reading line,
   * or at the top if it is tall.
   */
  showStretch: (page: number, top: number, bottom: number) => void
}

/** Time in ms without a scroll event after which scrolling counts as ended. */
const REST_MS = 120

/**
 * Scroll state of the pages. If the positions of the pages change (a resize, a zoom, a page whose size becomes known), it
 * scrolls before the next paint so that the user sees the same text at the same height.
 */
export function usePageScroller(
  scroller: RefObject<HTMLElement | null>,
  stack: PageStack,
  viewport: number,
): PageScroller {
  const [near, setNear] = useState({ first: 1, last: 2 })
  const [current, setCurrent] = useState(1)
  const anchor = useRef<Anchor | null>(null)
  const moved = useRef(-REST_MS)
  const isStill = useCallback(() => performance.now() - moved.current >= REST_MS, [])

  const look = useCallback(() => {
    const box = scroller.current
    if (!box || viewport === 0) return
    moved.current = performance.now()
    const { first, last } = pagesNear(stack, box.scrollTop, viewport)
    // No anchor at the very top: a paper opens, and stays, at its first line.
    anchor.current = box.scrollTop === 0 ? null : anchorOf(stack, box.scrollTop, viewport)
    setNear((old) => (old.first === first && old.last === last ? old : { first, last }))
    const atEnd = box.scrollTop + viewport >= stack.total - 1
    setCurrent(atEnd ? stack.tops.length : pageAt(stack, box.scrollTop + viewport * READING_LINE))
  }, [scroller, stack, viewport])

  useLayoutEffect(() => {
    if (scroller.current && anchor.current) scroller.current.scrollTop = scrollTopFor(stack, anchor.current)
    look()
  }, [scroller, stack, look])

  const scrollTo = useCallback(
    (top: number) => {
      if (!scroller.current) return
      scroller.current.scrollTop = top
      look()
    },
    [scroller, look],
  )

  const showPage = useCallback(
    (page: number) => scrollTo((stack.tops[page - 1] ?? PAGE_GAP) - PAGE_GAP),
    [scrollTo, stack],
  )

  const showStretch = useCallback(
    (page: number, top: number, bottom: number) => {
      const height = stack.heights[page - 1]
      if (height === undefined) return
      const fits = (bottom - top) * height < viewport * (1 - READING_LINE)
      const line = fits ? viewport * READING_LINE : PAGE_GAP
      scrollTo(stack.tops[page - 1]! + top * height - line)
    },
    [scrollTo, stack, viewport],
  )

  return { near, current, look, isStill, showPage, showStretch }
}
