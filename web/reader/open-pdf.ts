import { getDocument, GlobalWorkerOptions, type PDFDocumentLoadingTask, ResponseException } from 'pdfjs-dist'
import rendererUrl from 'pdfjs-dist/build/pdf.renderer.min.mjs?url'
import { pdfjsOptions, pdfjsWorkerUrl } from '#web/lib/pdfjs.ts'

/**
 * Files up to twice this size come in one answer; of larger ones only the stretches that the pages on screen need, so
 * that a paper of 100 MB opens as fast as a small one.
 */
const CHUNK = 256 * 1024
/** No picture inside a page may claim more pixels than this: a hostile file must not take the tab's memory. */
const MAX_IMAGE_PIXELS = 64 * 1024 * 1024

/**
 * Starts to open a PDF for reading. Parsing and drawing happen in two workers of their own; nothing in the file is
 * executed (no scripting engine, no XFA forms) and its links are not followed. Call `destroy()` on the task to end both
 * workers and all requests.
 *
 * @param url same-origin address that answers Range requests
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

/** Said where it is not known why. */
export const LOAD_FAILED = 'Failed to load PDF'

/** Why a PDF could not be opened, in the words of the product. */
export function openFailure(error: unknown): string {
  if (error instanceof ResponseException && error.status >= 400) return `Failed to fetch PDF: ${error.status}`
  if (error instanceof Error && /worker/i.test(error.message)) return 'Failed to initialize PDF viewer'
  return LOAD_FAILED
}
