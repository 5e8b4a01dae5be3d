import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'

/**
 * State of the reader beside a paper. It shows a passage (`shown`), or all pages if `isOpen` is true and `shown` is null.
 * Opening and closing the reader changes the width of the page; the page is scrolled so that the clicked link keeps its place
 * on the screen.
 */
export function useBeside() {
  const [shown, setShown] = useState<FoundPassage | null>(null)
  const [whole, setWhole] = useState(false)
  const held = useRef<{ link: Element; top: number } | null>(null)
  const hold = (link: Element | null) => {
    held.current = link && link !== document.body ? { link, top: link.getBoundingClientRect().top } : null
  }
  const isOpen = shown !== null || whole
  useLayoutEffect(() => {
    if (held.current?.link.isConnected)
      scrollBy({ top: held.current.link.getBoundingClientRect().top - held.current.top, behavior: 'instant' })
    held.current = null
  }, [isOpen])
  const show = useCallback((passage: FoundPassage) => {
    hold(document.activeElement)
    setShown(passage)
  }, [])
  const close = useCallback(() => {
    hold(document.querySelector('main [data-slot=page-link][aria-current]'))
    setShown(null)
    setWhole(false)
  }, [])
  const showPages = useCallback(() => setWhole(true), [])
  return { shown, isOpen, show, showPages, close }
}
