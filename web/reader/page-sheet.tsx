import type { PDFDocumentProxy, PDFPageProxy, TextLayer } from 'pdfjs-dist'
import { type CSSProperties, memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { markPassage, type Marking } from './mark-passage.ts'
import { PageCanvas } from './page-canvas.tsx'
import type { PageSize } from './page-stack.ts'
import { PageText } from './page-text.tsx'
import { PassageMarks } from './passage-marks.tsx'
import styles from './reader.module.css'

interface PageSheetProps {
  pdf: PDFDocumentProxy
  number: number
  top: number
  width: number
  height: number
  pixelRatio: number
  /** Returns false while the user scrolls the pages. */
  isStill: () => boolean
  /** The passage to highlight if it is on this page. */
  passage: FoundPassage | null
  onSize: (number: number, size: PageSize) => void
  onMarked: (passage: FoundPassage, marking: Marking) => void
  onError: () => void
}

/** A page of a PDF: its image, the highlight of the passage, and the text layer. */
export const PageSheet = memo(function PageSheet(props: PageSheetProps) {
  const { pdf, number, top, width, height, pixelRatio, isStill, passage, onSize, onMarked, onError } = props
  const sheet = useRef<HTMLDivElement>(null)
  const [page, setPage] = useState<PDFPageProxy | null>(null)
  const [layer, setLayer] = useState<TextLayer | null>(null)
  const [marking, setMarking] = useState<Marking | null>(null)

  useEffect(() => {
    let isUnmounted = false
    let loaded: PDFPageProxy | null = null
    pdf
      .getPage(number)
      .then((proxy) => {
        if (isUnmounted) return
        loaded = proxy
        const viewport = proxy.getViewport({ scale: 1 })
        onSize(number, { width: viewport.width, height: viewport.height })
        setPage(proxy)
      })
      .catch(() => {
        if (!isUnmounted) onError()
      })
    return () => {
      isUnmounted = true
      loaded?.cleanup()
    }
  }, [pdf, number, onSize, onError])

  useLayoutEffect(() => {
    if (!passage || !layer || !sheet.current) {
      setMarking(null)
      return
    }
    const next = markPassage(sheet.current, layer, passage)
    setMarking(next)
    onMarked(passage, next)
  }, [passage, layer, onMarked])

  const scale = page ? (width * page.userUnit) / page.getViewport({ scale: 1 }).width : 1
  const style: CSSProperties = {
    top,
    width,
    height,
    ['--total-scale-factor' as string]: scale,
    ['--sheet-width' as string]: `${width}px`,
  }
  return (
    <div
      ref={sheet}
      className={styles.sheet}
      role="group"
      aria-label={`Page ${number}`}
      data-page={number}
      data-marked={marking?.kind === 'marked' || undefined}
      style={style}
    >
      {marking?.kind === 'marked' ? <PassageMarks marking={marking} page={number} /> : null}
      {page ? <PageCanvas page={page} width={width} pixelRatio={pixelRatio} onError={onError} /> : null}
      {page ? <PageText page={page} isWanted={() => passage !== null || isStill()} onReady={setLayer} /> : null}
    </div>
  )
})
