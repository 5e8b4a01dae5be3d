import type { PDFPageProxy, RenderTask } from 'pdfjs-dist'

/** Safari draws nothing on a canvas above 16.7 million pixels; no browser is fast with more. */
const MAX_PIXELS = 16_000_000
const MAX_SIDE = 8192

/** Device pixels per CSS pixel for a page of this size: the screen's own, or as many as the limits allow. */
export function sharpness(width: number, height: number, pixelRatio: number): number {
  return Math.min(pixelRatio, Math.sqrt(MAX_PIXELS / (width * height)), MAX_SIDE / width, MAX_SIDE / height)
}

/**
 * Draws a page at `width` CSS pixels on a canvas of its own, in slices or in the renderer's worker. Cancel the task to
 * stop; its promise then rejects with RenderingCancelledException.
 */
export function drawPage(
  page: PDFPageProxy,
  width: number,
  pixelRatio: number,
): { canvas: HTMLCanvasElement; task: RenderTask } {
  const natural = page.getViewport({ scale: 1 })
  const height = (width * natural.height) / natural.width
  const viewport = page.getViewport({ scale: (width / natural.width) * sharpness(width, height, pixelRatio) })
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(viewport.width))
  canvas.height = Math.max(1, Math.floor(viewport.height))
  return { canvas, task: page.render({ canvas, viewport }) }
}

/** Gives a canvas's memory back at once instead of at the next garbage collection. */
export function freeCanvas(canvas: HTMLCanvasElement): void {
  canvas.width = 0
  canvas.height = 0
  canvas.remove()
}
