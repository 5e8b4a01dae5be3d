import { type PDFPageProxy, RenderingCancelledException } from 'pdfjs-dist'
import { useEffect, useEffectEvent, useRef } from 'react'
import { logWarning } from '#web/lib/log.ts'
import { drawPage, freeCanvas } from './draw-page.ts'
import styles from './reader.module.css'
import { afterVisibleSeconds } from './visible-time.ts'

/** Delay before the first rendering, so that pages passed while scrolling are not rendered. */
const FIRST_DRAW_MS = 40
/** Delay after a resize. Until then the old image is stretched. */
const REDRAW_MS = 150
/** Render timeout. Larger legitimate pages take a few seconds; beyond this assume a hostile file. */
const DRAW_SECONDS = 60

interface PageCanvasProps {
  page: PDFPageProxy
  width: number
  pixelRatio: number
  onError: () => void
}

/** The page image. Rendered again for each width and pixel ratio; the old image stays visible until then. */
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

/** Starts a rendering. Returns null in a browser without canvas, which throws here and not in the task. */
function begin(...page: Parameters<typeof drawPage>) {
  try {
    return drawPage(...page)
  } catch (error) {
    logWarning('a page cannot be drawn', error)
    return null
  }
}
