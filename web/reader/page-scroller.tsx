import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import type { Marking } from './mark-passage.ts'
import { PageSheet } from './page-sheet.tsx'
import { PAGE_GAP, type PageSize, stackPages } from './page-stack.ts'
import { PassageNote } from './passage-note.tsx'
import { ReaderToolbar } from './reader-toolbar.tsx'
import styles from './reader.module.css'
import { usePageScroller } from './use-page-scroller.ts'
import { useInnerSize, usePixelRatio } from './use-viewport.ts'

interface PageScrollerProps {
  pdf: PDFDocumentProxy
  firstSize: PageSize
  target: FoundPassage | null
  onDrawError: () => void
}

/**
 * The scroll area with the pages of an open PDF. Only pages near the viewport are rendered; the others are empty space.
 */
export function PageScroller({ pdf, firstSize, target, onDrawError }: PageScrollerProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { width, height } = useInnerSize(scroller)
  const pixelRatio = usePixelRatio()
  const [zoom, setZoom] = useState(1)
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(() => new Map([[1, firstSize]]))
  const pageWidth = Math.max(64, Math.floor((width - 2 * PAGE_GAP) * zoom))
  const stack = useMemo(() => stackPages(pdf.numPages, sizes, pageWidth), [pdf, sizes, pageWidth])
  const { near, current, look, isStill, showPage, showStretch } = usePageScroller(scroller, stack, height)
  const [last, setLast] = useState<{ passage: FoundPassage; marking: Marking } | null>(null)
  const shown = last?.passage === target ? last : null
  /** The passage to which the reader still has to scroll; null after it has scrolled or the user scrolls. */
  const pending = useRef<FoundPassage | null>(null)

  const learnSize = useCallback((page: number, size: PageSize) => {
    setSizes((known) => {
      const old = known.get(page)
      return old?.width === size.width && old.height === size.height ? known : new Map(known).set(page, size)
    })
  }, [])

  const isLaidOut = width > 0
  const approach = useEffectEvent((page: number, passage: FoundPassage) => {
    // A rendered page scrolls directly to the passage; a distant page must be rendered first.
    if (page < near.first || page > near.last || !passage.quote) showPage(page)
  })
  useEffect(() => {
    pending.current = target
    if (target?.page && isLaidOut) approach(target.page, target)
  }, [target, isLaidOut])

  const marked = useCallback((passage: FoundPassage, marking: Marking) => setLast({ passage, marking }), [])
  useEffect(() => {
    if (!shown?.passage.page || pending.current !== shown.passage) return
    pending.current = null
    if (shown.marking.kind === 'marked') {
      const top = shown.marking.lines[0]!.top
      showStretch(shown.passage.page, top, Math.max(...shown.marking.lines.map((line) => line.top + line.height)))
    } else if (shown.marking.kind !== 'page') showPage(shown.passage.page)
  }, [shown, showPage, showStretch])

  const takeOver = () => {
    pending.current = null
  }
  const pages = []
  for (let number = near.first; isLaidOut && number <= Math.min(near.last, pdf.numPages); number += 1) {
    pages.push(
      <PageSheet
        key={number}
        pdf={pdf}
        number={number}
        top={stack.tops[number - 1]!}
        width={stack.width}
        height={stack.heights[number - 1]!}
        pixelRatio={pixelRatio}
        isStill={isStill}
        passage={target?.page === number ? target : null}
        onSize={learnSize}
        onMarked={marked}
        onError={onDrawError}
      />,
    )
  }
  return (
    <div className={styles.frame}>
      {/* Focusable, so that the arrow and page keys scroll it. */}
      <div
        ref={scroller}
        className={styles.desk}
        role="region"
        aria-label="Pages"
        tabIndex={0}
        onScroll={look}
        onWheel={takeOver}
        onTouchMove={takeOver}
        onKeyDown={takeOver}
      >
        <div className="relative min-w-full" style={{ height: stack.total, width: stack.width + 2 * PAGE_GAP }}>
          {pages}
        </div>
      </div>
      <p className="sr-only" role="status">
        {shown?.marking.kind === 'marked' ? `Passage on page ${shown.passage.page}: “${shown.passage.quote}”` : ''}
      </p>
      <PassageNote shown={shown} />
      <ReaderToolbar page={current} count={pdf.numPages} zoom={zoom} onPage={showPage} onZoom={setZoom} />
    </div>
  )
}
