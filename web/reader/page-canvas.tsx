import { type PDFPageProxy, RenderingCancelledException } from 'pdfjs-dist'
import { useEffect, useEffectEvent, useRef } from 'react'
import { logWarning } from '#web/lib/log.ts'
import { drawPage, freeCanvas } from './draw-page.ts'
import { afterVisibleSeconds } from './visible-time.ts'

/** A page that only flies past while someone scrolls is not worth drawing. */
const FIRST_DRAW_MS = 40
/** While a window is being resized the old picture is stretched; the sharp one follows when the hand rests. */
const REDRAW_MS = 150
/** A page that takes longer is made to take for ever; the largest honest ones need a few seconds. */
const DRAW_SECONDS = 60

interface PageCanvasProps {
  page: PDFPageProxy
  width: number
  pixelRatio: number
  onError: () => void
}

/** The picture of a page, drawn anew for every width and pixel ratio. The old picture stays until the new one is done. */
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

  return <div ref={host} className="reader-canvas" aria-hidden="true" />
}

/** A browser that gives no canvas says so at once, not by the task. */
function begin(...page: Parameters<typeof drawPage>) {
  try {
    return drawPage(...page)
  } catch (error) {
    logWarning('a page cannot be drawn', error)
    return null
  }
}
