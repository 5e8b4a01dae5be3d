import { useCallback, useLayoutEffect, useRef } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { useReaderEntry } from '#web/reader/index.ts'

/**
 * State of the reader beside a paper. It shows a passage (`shown`), or all pages if `isOpen` is true and `shown` is null. A reload
 * does not close it.
 * Opening and closing the reader changes the width of the page; the page is scrolled so that the clicked link keeps its place
 * on the screen.
 */
export function useBeside(documentId: string) {
  const { reading, open, close: end } = useReaderEntry({ isInPlace: true })
  const held = useRef<{ link: Element; top: number } | null>(null)
  const hold = (link: Element | null) => {
    held.current = link && link !== document.body ? { link, top: link.getBoundingClientRect().top } : null
  }
  const isOpen = reading !== null
  useLayoutEffect(() => {
    if (held.current?.link.isConnected)
      scrollBy({ top: held.current.link.getBoundingClientRect().top - held.current.top, behavior: 'instant' })
    held.current = null
  }, [isOpen])
  const show = useCallback(
    (passage: FoundPassage) => {
      hold(document.activeElement)
      open({ documentId, passage })
    },
    [open, documentId],
  )
  const close = useCallback(() => {
    hold(document.querySelector('main [data-slot=page-link][aria-current]'))
    end()
  }, [end])
  const showPages = useCallback(() => open({ documentId, passage: null }), [open, documentId])
  return { shown: reading?.passage ?? null, isOpen, show, showPages, close }
}
