import { getDocument, GlobalWorkerOptions, type PDFDocumentLoadingTask, ResponseException } from 'pdfjs-dist'
import rendererUrl from 'pdfjs-dist/build/pdf.renderer.min.mjs?url'
import { pdfjsOptions, pdfjsWorkerUrl } from '#web/lib/pdfjs.ts'

/**
 * Size of a range request in bytes. A file of up to twice this size is loaded in one response. Of a larger file, only the
 * ranges of the visible pages are loaded, so that a 100 MB paper opens as fast as a small one.
 */
const CHUNK = 256 * 1024
/** Maximum number of pixels of an image inside a PDF page. Protects the memory of the tab from hostile files. */
const MAX_IMAGE_PIXELS = 64 * 1024 * 1024

/**
 * Opens a PDF. Parsing and rendering run in two workers. Nothing in the file is executed (no scripting engine, no XFA forms)
 * and its links are not followed. Call `destroy()` on the task to end both workers and all requests. `url` is a same-origin URL
 * that supports Range requests.
 */
export function openPdf(url: string): PDFDocumentLoadingTask {
  GlobalWorkerOptions.workerSrc = pdfjsWorkerUrl
  GlobalWorkerOptions.rendererSrc = rendererUrl
  return getDocument({
    ...pdfjsOptions,
    url,
    rangeChunkSize: CHUNK,
    disableAutoFetch: true,
    disableStream: true,
    maxImageSize: MAX_IMAGE_PIXELS,
  })
}

/** The message for a PDF that could not be opened for an unknown reason. */
export const LOAD_FAILED = 'Failed to load PDF'

/** Returns the message for the user about a PDF that could not be opened. */
export function openFailure(error: unknown): string {
  if (error instanceof ResponseException && error.status >= 400) return `Failed to fetch PDF: ${error.status}`
  if (error instanceof Error && /worker/i.test(error.message)) return 'Failed to initialize PDF viewer'
  return LOAD_FAILED
}
