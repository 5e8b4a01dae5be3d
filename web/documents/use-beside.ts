import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'

/**
 * State of the reader: a passage, or all pages from the first one (`isOpen` without `shown`). Opening the reader
 * narrows the page and closing it widens the page; the clicked link keeps its screen position.
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
