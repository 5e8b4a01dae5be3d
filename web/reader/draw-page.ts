import type { PDFPageProxy, RenderTask } from 'pdfjs-dist'

/** Safari renders nothing on a canvas above 16.7 million pixels, and larger ones are slow everywhere. */
const MAX_PIXELS = 16_000_000
const MAX_SIDE = 8192

/**
 * Returns device pixels per CSS pixel for a page of this size: the screen's ratio, or less within the canvas limits.
 */
export function sharpness(width: number, height: number, pixelRatio: number): number {
  return Math.min(pixelRatio, Math.sqrt(MAX_PIXELS / (width * height)), MAX_SIDE / width, MAX_SIDE / height)
}

/**
 * Renders a page at `width` CSS pixels to a new canvas, in slices or in the renderer's worker. Cancel the task to stop;
 * its promise then rejects with RenderingCancelledException.
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

/** Releases the memory of a canvas at once instead of at the next garbage collection. */
export function freeCanvas(canvas: HTMLCanvasElement): void {
  canvas.width = 0
  canvas.height = 0
  canvas.remove()
}
