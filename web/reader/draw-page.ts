import type { PDFPageProxy, RenderTask } from 'pdfjs-dist'

/**
 * Maximum number of pixels of a canvas. Safari renders nothing above 16.7 million, and larger canvases are slow in every
 * browser.
 */
const MAX_PIXELS = 16_000_000
const MAX_SIDE = 8192

/**
 * Returns the number of canvas pixels per CSS pixel for a page of this size (in CSS pixels). It is `pixelRatio`, or less if the
 * canvas would be too large.
 */
export function sharpness(width: number, height: number, pixelRatio: number): number {
  return Math.min(pixelRatio, Math.sqrt(MAX_PIXELS / (width * height)), MAX_SIDE / width, MAX_SIDE / height)
}

/**
 * Renders a PDF page, `width` CSS pixels wide, to a new canvas without blocking the browser. The canvas has `pixelRatio` device
 * pixels per CSS pixel, or fewer for a very large page. Call `cancel` on the task to stop; the promise of the task then rejects
 * with RenderingCancelledException.
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
