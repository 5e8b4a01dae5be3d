import { AbortException, type PDFPageProxy, TextLayer } from 'pdfjs-dist'
import { useEffect, useRef } from 'react'

interface PageTextProps {
  page: PDFPageProxy
  /** Called once with the finished layer. */
  onReady: (layer: TextLayer) => void
}

/**
 * The invisible, selectable words over the picture of a page. Positions are shares of the page and sizes follow
 * --total-scale-factor, so the layer is laid out once and holds at every width.
 */
export function PageText({ page, onReady }: PageTextProps) {
  const host = useRef<HTMLDivElement>(null)
  const ready = useRef(onReady)
  ready.current = onReady

  useEffect(() => {
    const container = host.current
    if (!container) return
    const layer = new TextLayer({
      textContentSource: page.streamTextContent(),
      container,
      viewport: page.getViewport({ scale: 1 }),
    })
    let gone = false
    layer
      .render()
      .then(() => {
        if (gone) return
        // Keeps a selection that leaves the words from jumping to the end of the page.
        const end = document.createElement('div')
        end.className = 'endOfContent'
        container.append(end)
        ready.current(layer)
      })
      .catch((error: unknown) => {
        // A page without readable text still shows its picture; the reader reports a passage on it as not found.
        if (!gone && !(error instanceof AbortException)) ready.current(layer)
      })
    return () => {
      gone = true
      layer.cancel()
      container.replaceChildren()
    }
  }, [page])

  return (
    <div
      ref={host}
      className="textLayer"
      onPointerDown={(event) => {
        const layer = event.currentTarget
        layer.classList.add('selecting')
        addEventListener('pointerup', () => layer.classList.remove('selecting'), { once: true })
      }}
    />
  )
}
