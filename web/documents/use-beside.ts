import { useRouter } from '@tanstack/react-router'
import { useCallback, useLayoutEffect, useRef } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { useReaderEntry } from '#web/reader/index.ts'

/**
 * Returns the state of the reader beside a paper, and functions to open and close it. `shown` is the passage that the reader
 * shows. If `isOpen` is true and `shown` is null, it shows all pages. Back closes the reader; a reload does not. When the
 * reader opens or closes, the width of the page changes; the page is scrolled so that the clicked link keeps its place on the
 * screen.
 */
export function useBeside(documentId: string) {
  const { reading, open, close: leave } = useReaderEntry()
  const router = useRouter()
  const held = useRef<{ link: Element | null; top: number } | null>(null)
  const hold = (link: Element | null) => {
    held.current = { link, top: link?.getBoundingClientRect().top ?? 0 }
  }
  const isOpen = reading !== null
  useLayoutEffect(() => {
    if (!held.current) return
    const { link, top } = held.current
    held.current = null
    if (link?.isConnected) scrollBy({ top: link.getBoundingClientRect().top - top, behavior: 'instant' })
    // When the reader closes, the router scrolls to the position at which it was opened.
    const place = scrollY
    const stop = router.subscribe('onRendered', () => {
      stop()
      scrollTo({ top: place, behavior: 'instant' })
    })
    return stop
  }, [isOpen, router])
  const show = useCallback(
    (passage: FoundPassage) => {
      hold(document.activeElement === document.body ? null : document.activeElement)
      open({ documentId, passage })
    },
    [open, documentId],
  )
  const close = useCallback(() => {
    hold(document.querySelector('main [data-slot=page-link][aria-current]'))
    leave()
  }, [leave])
  const showPages = useCallback(() => open({ documentId, passage: null }), [open, documentId])
  return { shown: reading?.passage ?? null, isOpen, show, showPages, close }
}
