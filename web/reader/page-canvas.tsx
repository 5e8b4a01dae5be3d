import { type PDFPageProxy, RenderingCancelledException } from 'pdfjs-dist'
import { useEffect, useEffectEvent, useRef } from 'react'
import { logWarning } from '#web/lib/log.ts'
import { drawPage, freeCanvas } from './draw-page.ts'
import styles from './reader.module.css'
import { afterVisibleSeconds } from './visible-time.ts'

/** Delay before the first rendering of a page, in ms, so that pages that are only scrolled past are not rendered. */
const FIRST_DRAW_MS = 40
/** Delay before a page is rendered again after a resize, in ms. Until then the old image is stretched. */
const REDRAW_MS = 150
/**
 * Render timeout in seconds. Large pages take a few seconds; a page that takes longer than the timeout is assumed to be
 * hostile.
 */
const DRAW_SECONDS = 60

interface PageCanvasProps {
  page: PDFPageProxy
  width: number
  pixelRatio: number
  onError: () => void
}

/**
 * The image of a PDF page. It is rendered again after a change of width or pixel ratio; the old image stays visible until then.
 */
export function PageCanvas({ page, width, pixelRatio, onError }: PageCanvasProps) {
  const host = useRef<HTMLDivElement>(null)
  const shown = useRef<HTMLCanvasElement | null>(null)
  const fail = useEffectEvent(onError)

  useEffect(() => {
    let stop = () => {}
    const timer = setTimeout(
      () => {
        const drawing = begin(page, width, pixelRatio)
        if (!drawing) return fail()
        const { canvas, task } = drawing
        const endWait = afterVisibleSeconds(DRAW_SECONDS, () => {
          task.cancel()
          fail()
        })
        stop = () => {
          endWait()
          task.cancel()
        }
        task.promise
          .then(() => {
            endWait()
            stop = () => {}
            host.current?.append(canvas)
            if (shown.current) freeCanvas(shown.current)
            shown.current = canvas
          })
          .catch((error: unknown) => {
            endWait()
            freeCanvas(canvas)
            if (!(error instanceof RenderingCancelledException)) fail()
          })
      },
      shown.current ? REDRAW_MS : FIRST_DRAW_MS,
    )
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [page, width, pixelRatio])

  useEffect(
    () => () => {
      if (shown.current) freeCanvas(shown.current)
      shown.current = null
    },
    [page],
  )

  return <div ref={host} className={styles.canvas} aria-hidden="true" />
}

/** Starts the rendering of a page. Returns null if the browser has no canvas, because `drawPage` throws in that case. */
function begin(...page: Parameters<typeof drawPage>) {
  try {
    return drawPage(...page)
  } catch (error) {
    logWarning('a page cannot be drawn', error)
    return null
  }
}
