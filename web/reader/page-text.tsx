import { AbortException, type PDFPageProxy, TextLayer } from 'pdfjs-dist'
import { useEffect, useEffectEvent, useRef } from 'react'

/** Interval in ms at which a page checks whether its text layer is needed. */
const ASK_AGAIN_MS = 60

interface PageTextProps {
  page: PDFPageProxy
  /**
   * Returns false while the user scrolls. The text layer is not rendered then, because its layout would make scrolling stutter.
   */
  isWanted: () => boolean
  /** Called once with the rendered layer. */
  onReady: (layer: TextLayer) => void
}

/**
 * The invisible, selectable text layer over the image of a page. Its layout is relative to the page size and the CSS variable
 * --total-scale-factor, so it is rendered once and is valid at every width.
 */
export function PageText({ page, isWanted, onReady }: PageTextProps) {
  const host = useRef<HTMLDivElement>(null)
  const wanted = useEffectEvent(isWanted)
  const ready = useEffectEvent(onReady)

  useEffect(() => {
    const container = host.current
    if (!container) return
    let isUnmounted = false
    let layer: TextLayer | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const finish = (finished: TextLayer) => {
      if (!isUnmounted) ready(finished)
    }
    const lay = () => {
      if (!wanted()) {
        timer = setTimeout(lay, ASK_AGAIN_MS)
        return
      }
      const words = new TextLayer({
        textContentSource: page.streamTextContent(),
        container,
        viewport: page.getViewport({ scale: 1 }),
      })
      layer = words
      words
        .render()
        .then(() => {
          if (isUnmounted) return
          // Prevents a selection outside the text from jumping to the end of the page.
          const end = document.createElement('div')
          end.className = 'endOfContent'
          container.append(end)
          finish(words)
        })
        .catch((error: unknown) => {
          // A page without readable text still shows its image; a passage on it is reported as not found.
          if (!(error instanceof AbortException)) finish(words)
        })
    }
    lay()
    return () => {
      isUnmounted = true
      clearTimeout(timer)
      layer?.cancel()
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
